"""What InfiniBand tools print: topologies, forwarding tables, service levels, virtual lanes.

Begin with ``ibnetdiscover``; every reader of a topology makes sections, of which ``assemble`` makes the fabric.
"""
