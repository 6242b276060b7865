"""What the document states, and what is wrong in it."""
