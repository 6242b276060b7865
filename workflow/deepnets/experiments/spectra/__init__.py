"""Saxe, McClelland & Ganguli 2013, Figs. 6B, 6C, 7 and 8: how many random layers change a signal and a gradient."""
