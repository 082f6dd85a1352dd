"""Network families: parameters in, a network out; one family a file.

``spec`` reads texts like ``torus:8x8``. No routing, no file. Begin with ``spec``.
"""
