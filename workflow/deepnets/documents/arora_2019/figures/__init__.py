"""The figures: each public function draws one figure from the tables that its arguments name."""
