; A tenth of a second to a second each.

(define tak-iters 3)
(define sort-iters 3)
(define sort-length 500)
(define nboyer-iters 1)
(define sboyer-iters 1)
(define conform-iters 1)
(define graphs-iters 1)
(define nfa-iters 5)
(define nfa-length 500)
(define nucleic-iters 1)
(define cell-segments 0)
