"""Calls on nonblocking networks: churn, blocking, rearranging."""
