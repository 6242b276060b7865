"""Theory: closed forms, with the numbers of the equations in their sources."""
