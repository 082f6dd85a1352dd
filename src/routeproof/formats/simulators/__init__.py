"""Files of simulators: BookSim, SST, CAMINOS."""
