"""The machine that the work runs on: its memory, and the user's Ctrl-C.  Ground: imports no other room but errors."""
