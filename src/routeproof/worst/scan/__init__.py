"""The exact worst case over a traffic model: one transportation problem for each class of channels.

``models`` says what terminals may send, ``scan`` goes over the channels, ``graphs.transport`` solves, ``assignment``
makes traffic of a flow, and ``evidence`` gathers what proves the answer. The check of that evidence is
``kernel.multipliers``. Begin with ``exact``.
"""
