"""The machine that the work runs on: memory, interrupts, threads, and the compiling of kernels.

Ground: imports no other room but ``core.errors``. Begin with ``memory``.
"""
