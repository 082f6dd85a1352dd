"""What independent trials say: means and medians with their confidence intervals, and when to stop.

Every sampled claim of the package gets its interval here. Begin with ``intervals``.
"""
