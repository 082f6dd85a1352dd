"""The exact worst case over a traffic model: one transportation problem for each class of channels.

``fold`` merges what is equivalent under symmetry, ``scan`` goes over the channels, ``graphs.transport`` solves, and
``evidence`` writes down what proves the answer. The check of that evidence is ``kernel.multipliers``. Begin with
``exact``.
"""
