"""Saxe, McClelland & Ganguli 2013, Figs. 6B, 6C, 7, 8: the effect of many random layers on signals and gradients."""
