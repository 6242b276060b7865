"""Document 003: a linear network learns the features of items that a tree relates, level by level."""
