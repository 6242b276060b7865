"""What is written: measurements, tables, data sets, their provenance, whole or not at all."""
