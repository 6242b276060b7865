"""Data sets, one folder each, which a job makes; and what runs draw themselves: toy tasks, the order of batches."""
