"""The best collective: the rate that no schedule beats, a cut that proves it, and trees that reach it.

``rate`` finds the rate and the cut by flows; ``packing`` packs trees between ranks; where switches do not copy, and so
are no nodes of trees, ``splitting`` first replaces them by paths through them.  Begin with ``result``.
"""
