"""Claims, criteria, and the evidence that judges them; the ledger of a document is in the document's folder."""
