"""What InfiniBand tools print: topologies, forwarding tables, service levels, virtual lanes.

Begin with ``ibnetdiscover``.
"""
