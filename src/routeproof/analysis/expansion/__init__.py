"""How few outputs the inputs of a splitter can reach: exactly, or between bounds."""
