"""Which code a job reaches: the modules of this package, what follows from an entry, and its fingerprint."""
