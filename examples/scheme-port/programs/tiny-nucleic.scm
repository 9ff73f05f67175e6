; The beginning of the smaller of its two problems.
(define (main)
  (run-benchmark
    "nucleic"
    nucleic-iters
    number?
    (lambda ()
      (lambda ()
        (length (search '() (first 12 anticodon-domains) anticodon-constraint?))))))

(define (first n list)
  (if (= n 0) '() (cons (car list) (first (- n 1) (cdr list)))))
