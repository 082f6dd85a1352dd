"""A report as one page in a browser."""
