"""Write and read results: measurements, tables, data sets, figures and texts, and the record of each job."""
