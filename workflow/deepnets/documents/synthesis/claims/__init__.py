"""The project's own claims across the documents."""
