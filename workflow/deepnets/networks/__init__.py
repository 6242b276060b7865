"""Networks: initialisations, linear and ReLU nets, random deep nets, their moments and ranks.

Matrices act from the right, and NumPy is enough for linear nets of a few hundred units. For example:

```python
import numpy as np

from deepnets.networks import linear
from deepnets.networks.initialization.initializers import initialize, orthogonal

generator = np.random.default_rng(0)
inputs, targets = generator.standard_normal((50, 10)), generator.standard_normal((50, 3))
# Three matrices: 10 × 20, 20 × 20, 20 × 3.
weights = initialize(orthogonal, linear.layer_sizes(10, 20, 3, depth=3), generator.standard_normal)
losses = []
for step in range(100):
    layers = linear.activations(inputs, weights)
    error = layers[-1] - targets
    losses.append(np.mean(error**2))
    gradients = linear.sample_gradients(layers, weights, 2 * error / error.size)
    weights = linear.gradient_step(weights, gradients, 0.1)
end_to_end = linear.product(weights)
```
"""
