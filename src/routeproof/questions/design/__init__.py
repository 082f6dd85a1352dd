"""The best oblivious routing, by linear programs, and the best forwarding tables.  Begin with ``design``."""
