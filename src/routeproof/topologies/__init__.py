"""Network families: parameters in, a network out; one family a file, with its ``Family`` beside the function.

``table`` finds the families, ``spec`` reads texts like ``torus:8x8``. No routing, no file. Begin with ``family``.
"""
