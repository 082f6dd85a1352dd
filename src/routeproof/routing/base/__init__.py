"""What every routing is: the base class and all that it declares, loads in a table, mixtures, repair after failures.

No other room of routing is imported here.  Begin with ``routing``; ``entry`` is how a routing gets a name.
"""
