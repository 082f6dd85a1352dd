"""The trusted kernel: does this evidence prove this number? Multipliers, adversaries, lengths, refutations.

Small, exact, without solvers; nothing here searches. Producers and ``verification`` both call it. Begin with
``multipliers``.
"""
