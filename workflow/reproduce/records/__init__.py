"""Write and read results: measurements, tables, data sets, figures and texts, each with its stamp."""
