"""Measures that only document 003 needs: features, losses, modes, representations, and weights of a regression."""
