"""The exact worst case over a traffic model: one transportation problem for each class of channels.

``fold`` merges what is equivalent under symmetry, ``scan`` goes over the channels, ``transport`` and ``assignment``
solve, ``exact_optimum`` makes the answer exact, ``evidence`` writes down what proves it. The check of that evidence is
``kernel.multipliers``. Begin with ``exact``.
"""
