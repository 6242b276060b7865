"""What the documents state: one module per document, each claim with the rule by which the results judge it."""
