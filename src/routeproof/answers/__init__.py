"""A question in, claims and their subject out: what ``--json`` holds, and what notebooks get.

Nothing here prints or draws; the numbers come from the rooms below. Begin with ``worst_case``.
"""
