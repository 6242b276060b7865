"""Claims, criteria and evidence, shared by all documents; the folder of each document contains its ledger."""
