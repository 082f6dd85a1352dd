"""Results in notebooks: tables, frames, inline figures."""
