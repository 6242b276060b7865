"""The charts with sliders: each public function draws one chart; its arguments are names of tables."""
