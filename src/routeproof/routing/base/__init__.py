"""What every routing is: the base class, routings whose loads are held in a table, mixtures, exact arrays."""
