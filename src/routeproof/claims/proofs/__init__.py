"""Proofs: what the claims of a report become, written out for a checker that knows nothing of this package.

``docs/proof-format.md`` is the format.  Names become loads and lists, classes under symmetry become every member,
packed potentials become one number for each terminal.  Nothing here is trusted: whoever reads a proof checks it.

``proof`` collects and writes one; ``written`` writes out networks, routings, sets and demands; ``images`` carries
evidence along symmetry; ``work`` is what the claims about one routing share.  Each kind of evidence has its
``elaborate`` beside its checker.  Begin with ``proof``.
"""
