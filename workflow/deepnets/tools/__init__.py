"""What people start: is it current, what changed, what will it cost."""
