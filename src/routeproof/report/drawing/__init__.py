"""Where nodes and channels are drawn, and how."""
