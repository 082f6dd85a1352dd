"""What a routing guarantees: worst case, loads of given traffic, capacity, path lengths, failures, deadlock.

Functions from a network and a routing to numbers with evidence. No command, no text for people, no checker: what finds
a number does not judge it. Begin with ``loads``.
"""
