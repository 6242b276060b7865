"""Find the code that a job reaches, by static analysis, and compute its fingerprint."""
