"""The programs that rules start: one per rule."""
