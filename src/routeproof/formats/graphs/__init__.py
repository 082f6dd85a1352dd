"""Graph files of others: GraphML, GML, networkx, DOT.  What an attribute means is decided in ``foreign_graph``."""
