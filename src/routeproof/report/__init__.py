"""How answers look: tables on the terminal, pages, figures, notebooks.

No claim is made here: that is ``questions``. No number is computed that is not in a claim. Begin with
``terminal.table``.
"""
