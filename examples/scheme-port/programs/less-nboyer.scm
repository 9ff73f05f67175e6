; A shorter theorem.
(define (main)
  (setup-boyer)
  (run-benchmark
    "nboyer"
    boyer-iters
    (lambda (rewrites) (equal? rewrites 1982))
    (lambda (alist term) (lambda () (test-boyer alist term 0)))
    '((x f (plus a (zero)))
      (y f (times a b))
      (z lessp (remainder a b) (member a (length b))))
    '(implies (and (implies x y) (implies y z)) (implies x z))))
