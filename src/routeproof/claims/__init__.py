"""Claims in words: what one states, with everything that its number depends on, and which claims a sentence is about.

A sentence is made from the whole statement of a claim; claims are chosen by what they state, never by their place.
Nothing here computes, and nothing knows of networks, screens or pages.  Begin with ``words``; ``choice`` picks claims.
"""
