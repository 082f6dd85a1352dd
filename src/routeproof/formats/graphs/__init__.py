"""Graph files of other tools: GraphML, GML, networkx, DOT.

What an attribute means, and which ones are refused, is decided once, in ``foreign_graph``. Begin with
``foreign_graph``.
"""
