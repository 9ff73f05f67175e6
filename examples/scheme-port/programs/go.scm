(main)
