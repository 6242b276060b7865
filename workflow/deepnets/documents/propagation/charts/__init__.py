"""The charts with sliders. Each public function draws one from the tables that its arguments name."""
