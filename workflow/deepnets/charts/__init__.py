"""What all charts with sliders share: controls, panels, and the chart of one setting at a time."""
