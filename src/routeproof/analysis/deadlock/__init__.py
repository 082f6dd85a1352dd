"""Is the channel dependency graph acyclic, and how many virtual channels make it so?"""
