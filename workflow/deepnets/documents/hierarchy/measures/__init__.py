"""Measures that only document 003 needs: of features, losses, modes, representations, and a regression's weights."""
