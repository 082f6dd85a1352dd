"""Claims: what one states in words, and for each kind of evidence what it may state, how it is checked and elaborated.

A sentence is made from the whole statement of a claim (``sentences``, ``words``); claims are chosen by what they state,
never by their place (``choice``).  A kind of evidence is a constant beside its checker (``kind``), found by ``kinds``;
whatever no kind lists is refused.  ``proofs`` writes claims out.  Nothing here searches, and nothing of ``worst`` is
used: what found a number does not check it.  Begin with ``kind``.
"""
