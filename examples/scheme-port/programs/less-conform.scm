; The lattice of fewer types.
(define (main)
  (run-benchmark
    "conform"
    conform-iters
    (lambda (result) (= (length result) 6))
    (lambda ()
      (lambda ()
        (setup)
        (map name (graph-nodes (make-lattice (make-graph a b any-node none-node) #f)))))))
