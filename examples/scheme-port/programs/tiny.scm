; A tenth of a second each, or less.

(define tak-iters 1)
(define sort-iters 2)
(define sort-length 50)
(define boyer-iters 1)
(define conform-iters 1)
(define graphs-iters 1)
(define graphs-vertices 3)
(define nfa-iters 5)
(define nfa-length 50)
(define nucleic-iters 1)
(define nucleic-domains 12)
(define cell-segments 10)
