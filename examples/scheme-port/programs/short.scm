; A second each.

(define tak-iters 6)
(define sort-iters 8)
(define sort-length 500)
(define boyer-iters 1)
(define conform-iters 20)
(define graphs-iters 1)
(define graphs-vertices 4)
(define nfa-iters 30)
(define nfa-length 500)
(define nucleic-iters 1)
(define nucleic-domains 16)
(define cell-segments 10)
