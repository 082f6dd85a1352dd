"""Where nodes and channels are drawn, and with which marks: layouts, labels, pictures.

Begin with ``layout``.
"""
