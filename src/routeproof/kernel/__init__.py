"""The trusted kernel: does this evidence prove this number? One theorem with its gauges, multipliers, refutations.

Small, exact, without solvers; nothing here searches.  Producers and ``claims`` both call it.  Begin with ``theorem``,
which bounds all routings; ``multipliers`` bound one.
"""
