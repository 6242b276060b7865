"""The contents of the page: figures, claims and charts of each document, with their records."""
