"""Foreign text made harmless: ``core.escape``, where all rooms find it."""

from ...core.escape import one_line, printable, quotation

__all__ = ["one_line", "printable", "quotation"]
