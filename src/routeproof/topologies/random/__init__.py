"""Random regular graphs, Kautz digraphs, the Petersen graph: graphs without coordinates."""
