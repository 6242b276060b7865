"""The runs that the statements are about."""

from reproduce import api

ALIGNED = api.Selection("beyond_edge", depth=3, init="unequal", strength=1, ratio=0.9, departure=0)
ROTATED = ALIGNED.but(departure=1e-6)
