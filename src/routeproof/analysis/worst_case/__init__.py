"""The exact worst case: one transportation problem a channel, its proof, and sweeps over channels.  Begin with ``exact``."""
