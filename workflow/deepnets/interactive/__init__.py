"""What readers move: one module per document, one function per chart with sliders: (tables) -> Altair chart."""
