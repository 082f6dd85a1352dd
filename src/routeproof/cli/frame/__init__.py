"""What all verbs share: progress, screen, exit status, options of long work."""
