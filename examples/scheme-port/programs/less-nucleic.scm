; The beginning of the smaller of its two problems.
(define (first n list)
  (if (= n 0) '() (cons (car list) (first (- n 1) (cdr list)))))

(define (main)
  (run-benchmark
    "nucleic2"
    nucleic-iters
    number?
    (lambda ()
      (lambda ()
        (length (search '() (first nucleic-domains anticodon-domains) anticodon-constraint?))))))
