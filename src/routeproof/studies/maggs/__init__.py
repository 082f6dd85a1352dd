"""Maggs, Randomly Wired Multistage Networks; Leighton & Maggs 1992."""
