"""The project's own claims that compare documents."""
