"""Linear programs that design routings, and the certificates that say how good they are."""
