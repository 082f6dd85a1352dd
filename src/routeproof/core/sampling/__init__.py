"""What independent trials say: intervals with their confidence, and when to stop.  Begin with ``intervals``."""
