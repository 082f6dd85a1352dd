"""What all verbs share: progress bars, the screen, exit status, options of long computations.

Begin with ``asked``.
"""
