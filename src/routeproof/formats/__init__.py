"""Files and foreign objects to networks, paths and traffic, and back; one format a file."""
