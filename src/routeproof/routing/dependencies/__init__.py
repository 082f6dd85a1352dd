"""Channel dependencies, for deadlock: of channels, of virtual channels, of lanes."""
