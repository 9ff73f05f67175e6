; Graphs with fewer vertices.
(define (main)
  (run-benchmark
    "graphs"
    graphs-iters
    (lambda (result) (= (length result) 5))
    (lambda (n) (lambda () (run n)))
    3))
