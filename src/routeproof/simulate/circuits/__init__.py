"""Circuit switching on multibutterflies."""
