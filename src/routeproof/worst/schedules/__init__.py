"""What a schedule of a collective does: can it deadlock, does it race, what comes out, how deep must its FIFOs be?

It finds; ``claims.schedules`` checks.  Begin with ``judge``.
"""
