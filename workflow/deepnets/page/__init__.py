"""What the page of all results shows: figures, claims and sliders of each document, and where they come from."""
