"""Is the channel dependency graph acyclic, and how few virtual channels make it so?

The dependencies themselves are the routing's: ``routing.dependencies``. Begin with ``channels``.
"""
