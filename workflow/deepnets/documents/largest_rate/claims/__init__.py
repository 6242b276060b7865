"""What the papers state."""
