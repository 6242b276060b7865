"""Document 002: a signal and its noise pass together through random deep nets at initialisation."""
