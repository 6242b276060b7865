"""Claims and errata of the document."""
