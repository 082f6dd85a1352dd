"""Routings given by tables: weighted paths, next hops; and how they are read and written."""
