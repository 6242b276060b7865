"""Find the science and the code that a job ran, and compute its fingerprint."""
