"""What theory says: closed forms, each with its equation."""
