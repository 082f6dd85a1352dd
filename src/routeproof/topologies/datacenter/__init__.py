"""Networks of data centres and supercomputers: fat trees, dragonflies, Slim Fly, Xpander, BCube.

Begin with ``fat_tree``.
"""
