"""What all charts with sliders share: their controls, their curves."""
