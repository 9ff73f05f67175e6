; Some hundredths of a second each.

(define tak-iters 1)
(define sort-iters 2)
(define sort-length 50)
(define nboyer-iters 1)
(define sboyer-iters 1)
(define conform-iters 1)
(define graphs-iters 1)
(define nfa-iters 5)
(define nfa-length 50)
(define nucleic-iters 1)
(define cell-segments 0)
