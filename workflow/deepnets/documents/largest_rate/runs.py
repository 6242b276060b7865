from reproduce import api

RELU = api.Selection("largest_rate", activation="relu", init="gaussian", width=256, batch=16)
RELU_ONE_IMAGE = RELU.but(batch=1)
RELU_NARROW = RELU_ONE_IMAGE.but(width=128)
GAUSSIAN = RELU_NARROW.but(activation="linear")
ORTHOGONAL = GAUSSIAN.but(init="orthogonal")
