"""The best flow of given matrices: the routing that no other one beats on any of them, and lengths that prove it.

One matrix is the maximum concurrent flow problem; of several, the worst one counts.  Paths come in where the prices of
channels make them short (column generation); what is found is made exact where its basis can be solved exactly.
Begin with ``design``; ``kernel.theorem`` is what the proof rests on.
"""
