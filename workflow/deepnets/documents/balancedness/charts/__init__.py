"""The charts with sliders: each public function draws one from the tables that its arguments name."""
