; SORT -- a vector of pseudo-random numbers, sorted by merging and in place by quicksort.

(define (random-list n)
  (let loop ((i 0) (seed 42) (numbers '()))
    (if (= i n)
        numbers
        (loop (+ i 1) (modulo (+ (* seed 1309) 13849) 65536) (cons seed numbers)))))

(define (merge-lists a b)
  (let loop ((a a) (b b) (merged '()))
    (cond ((null? a) (append (reverse merged) b))
          ((null? b) (append (reverse merged) a))
          ((< (car b) (car a)) (loop a (cdr b) (cons (car b) merged)))
          (else (loop (cdr a) b (cons (car a) merged))))))

(define (merge-sort numbers)
  (if (or (null? numbers) (null? (cdr numbers)))
      numbers
      (let loop ((rest numbers) (left '()) (right '()))
        (if (null? rest)
            (merge-lists (merge-sort left) (merge-sort right))
            (loop (cdr rest) right (cons (car rest) left))))))

(define (quicksort! v from to)
  (if (< from to)
      (let ((pivot (vector-ref v (quotient (+ from to) 2))))
        (let loop ((i from) (j to))
          (cond ((< (vector-ref v i) pivot) (loop (+ i 1) j))
                ((> (vector-ref v j) pivot) (loop i (- j 1)))
                ((<= i j)
                 (let ((x (vector-ref v i)))
                   (vector-set! v i (vector-ref v j))
                   (vector-set! v j x)
                   (loop (+ i 1) (- j 1))))
                (else
                 (quicksort! v from j)
                 (quicksort! v i to)))))))

(define (sorted? numbers)
  (or (null? (cdr numbers))
      (and (<= (car numbers) (cadr numbers)) (sorted? (cdr numbers)))))

(define (main)
  (run-benchmark
    "sort"
    sort-iters
    (lambda (result) result)
    (lambda (n)
      (lambda ()
        (let* ((numbers (random-list n))
               (merged (merge-sort numbers))
               (v (list->vector numbers)))
          (quicksort! v 0 (- n 1))
          (and (sorted? merged) (equal? merged (vector->list v))))))
    sort-length))
