"""One folder per document: what it is, what it prints, its figures, charts, claims and errata."""
