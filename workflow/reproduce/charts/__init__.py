"""Parts of charts with sliders: controls, panels, and a chart that shows one setting at a time."""
