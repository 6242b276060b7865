"""Document 002: signal and noise pushed together through random deep nets at their initialisation."""
