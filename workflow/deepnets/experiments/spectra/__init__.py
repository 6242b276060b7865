"""Saxe, McClelland & Ganguli 2013, Figs. 6B, 6C, 7 and 8: what many random layers do to a signal and to a gradient."""
