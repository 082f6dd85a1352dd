"""Network families: parameters in, a Network out; one family a file."""
