"""The figures: each public function draws one from the tables that its arguments name."""
