"""The routes of Ethernet devices as a routing: at every device the longest prefix, split over its next hops.

Begin with ``routes``.
"""
