"""Channel dependencies, for deadlock: which channel can be asked for while which is held.

Begin with ``channels``.
"""
