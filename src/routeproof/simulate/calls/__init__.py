"""Calls on nonblocking networks: churn, blocking states, rearranging.

Begin with ``churn``.
"""
