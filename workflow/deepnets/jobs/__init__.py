"""What rules start: one program per rule."""
