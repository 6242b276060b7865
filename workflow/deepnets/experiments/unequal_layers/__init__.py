"""One mode of a two-layer linear net whose layers start unequal."""
