"""One module per document; each public function draws one figure from the tables its arguments name."""
