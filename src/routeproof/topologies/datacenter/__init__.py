"""Fat trees, dragonflies, Slim Fly, Xpander, BCube: networks of data centres and supercomputers."""
