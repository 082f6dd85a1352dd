"""Network families: parameters in, a network out; one family a file, with its ``Family`` beside the function.

``family`` has the table of all and reads texts like ``torus:8x8``. No routing, no file. Begin with ``family``.
"""
