"""What every routing is: the base class, loads held in a table, mixtures, exact arrays, repair after failures.

Begin with ``routing``.
"""
