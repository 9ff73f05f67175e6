; NFA -- recognizes ((a | c)* b c d) | (a* b c) by walking through all states of an automaton.

(define (recognize input)

  (define (state0 input)
    (or (state1 input) (state3 input)))

  (define (state1 input)
    (and (pair? input)
         (or (and (or (char=? (car input) #\a) (char=? (car input) #\c))
                  (state1 (cdr input)))
             (and (char=? (car input) #\b)
                  (pair? (cdr input))
                  (char=? (cadr input) #\c)
                  (state2 (cddr input))))))

  (define (state2 input)
    (and (pair? input)
         (char=? (car input) #\d)
         (null? (cdr input))
         'state2))

  (define (state3 input)
    (and (pair? input)
         (if (char=? (car input) #\a)
             (state3 (cdr input))
             (and (char=? (car input) #\b)
                  (pair? (cdr input))
                  (char=? (cadr input) #\c)
                  (null? (cddr input))
                  'state3))))

  (state0 input))

(define (main)
  (run-benchmark
    "nfa"
    nfa-iters
    (lambda (result) (equal? result '(state3 state2 #f)))
    (lambda (n)
      (let ((letters (vector->list (make-vector n #\a))))
        (lambda ()
          (map (lambda (end) (recognize (append letters (string->list end))))
               '("bc" "cbcd" "ab")))))
    nfa-length))
