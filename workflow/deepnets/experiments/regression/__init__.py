"""Document 003, Bonus: the analytical solution of a linear regression."""
