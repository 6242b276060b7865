"""The charts with sliders: each public function draws one chart from the tables that its arguments name."""
