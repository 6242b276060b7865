"""Theory: closed forms, each with its equation."""
