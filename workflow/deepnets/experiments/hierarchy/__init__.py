"""Document 003: a linear network learns the features of items in a tree, one level after the other."""
