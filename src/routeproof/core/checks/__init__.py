"""The trusted kernel: does this evidence prove that number?  Multipliers, adversaries, lengths, refutations.

Numpy and the standard library only; nothing here searches.  Begin with ``multipliers``."""
