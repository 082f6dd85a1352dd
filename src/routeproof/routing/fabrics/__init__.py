"""What the files of a fabric say as a routing: InfiniBand's tables, levels and lanes; Ethernet's routes.

Begin with ``forwarding_tables``, or ``ethernet``.
"""
