"""Files of simulators: BookSim, SST, CAMINOS.

Begin with ``anynet``.
"""
