"""Exact numbers as people read them: ``core.numerals``, where all rooms find it."""

from ...core.numerals import decimal_text, fraction_text, seconds_text, trials_text

__all__ = ["decimal_text", "fraction_text", "seconds_text", "trials_text"]
