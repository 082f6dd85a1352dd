"""Compiled: a binary heap of (key, item) in two lines of an array, which the caller keeps with its size."""

from __future__ import annotations

from ..machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def push(heap, size, key, item):  # type: ignore[no-untyped-def]
    """Put ``key`` and ``item`` on a heap of ``size`` entries: ``heap`` (2, more than ``size``), keys and items."""
    at = size
    while at > 0:
        up = (at - 1) >> 1
        if heap[0, up] <= key:
            break
        heap[0, at] = heap[0, up]
        heap[1, at] = heap[1, up]
        at = up
    heap[0, at] = key
    heap[1, at] = item


@njit(cache=True, nogil=True, error_model="numpy")
def pop(heap, size):  # type: ignore[no-untyped-def]
    """Remove the least entry of a heap of ``size`` (read it at index 0 before)."""
    size -= 1
    key = heap[0, size]
    item = heap[1, size]
    at = 0
    while True:
        low = 2 * at + 1
        if low >= size:
            break
        if low + 1 < size and heap[0, low + 1] < heap[0, low]:
            low += 1
        if heap[0, low] >= key:
            break
        heap[0, at] = heap[0, low]
        heap[1, at] = heap[1, low]
        at = low
    heap[0, at] = key
    heap[1, at] = item
