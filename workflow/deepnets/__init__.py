"""How depth and initialisation shape deep networks: the library behind the workflow's jobs."""
