"""The document's claims and errata."""
