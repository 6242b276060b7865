# %% [markdown]
# # Forty lines of each document
# The training loop of each of the five documents, as on a blackboard: only NumPy and PyTorch, nothing of this library.
# A test compares each with the runs of the workflow. The images come from `snakemake --cores 8`. Numbers are printed
# where all nets of the ledger take seconds, with the digits that another order of sums leaves as they are; the ledger
# has their errors.

# %%
import itertools
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch

# The results of this folder, or of the first above it that has any.
results = next((each / "results" for each in (Path.cwd(), *Path.cwd().parents) if (each / "results").is_dir()), Path())

# %% [markdown]
# **000.** Points in ten classes, by the angle of their first two coordinates. The classifier is a product of matrices,
# and gradient descent stops when the mean cross entropy is at most 0.01: the product prefers a low rank.


# %%
def classify(depth, rate, hidden=10, scale=1.0, repetitions=10):
    """Return the number of updates, the test accuracy and the singular values of the product, for each repetition."""
    torch.manual_seed(0)
    points = torch.randn(200, 10)
    labels = ((torch.atan2(points[:, 0], points[:, 1]) / np.pi + 1) / 2 * 10).long()
    (inputs, test_inputs), (targets, test_targets) = points.split(100), labels.split(100)
    found = []
    for _ in range(repetitions):
        shapes = itertools.pairwise([10, *[hidden] * (depth - 1), 10])
        layers = [torch.nn.init.xavier_normal_(torch.empty(shape)).requires_grad_() for shape in shapes]
        updates, loss = 0, torch.inf
        while loss > 0.01:
            scores = inputs
            for matrix in layers:
                scores = scores @ matrix
            loss = torch.nn.functional.cross_entropy(scale * scores, targets)
            with torch.no_grad():
                for matrix, gradient in zip(layers, torch.autograd.grad(loss, layers), strict=True):
                    matrix -= rate * gradient
            updates += 1
        product = scale * torch.linalg.multi_dot([matrix.detach().double() for matrix in layers])
        accuracy = ((test_inputs.double() @ product).argmax(dim=1) == test_targets).double().mean()
        found.append((updates, accuracy.item(), torch.linalg.svdvals(product).numpy()))
    return found


nets = {"two layers": classify(2, 1), "rank 2": classify(2, 1, hidden=2), "three, near 0": classify(3, 100, scale=1e-4)}
for name, runs in nets.items():
    print(f"{name}: {100 * np.mean([accuracy for _, accuracy, _ in runs]):.0f} % of the test points")
    plt.semilogy(range(1, 11), runs[0][2], "o-", label=name)
plt.gca().set(xlabel="number of the singular value", ylabel="singular value of the product", ylim=(1e-5, None))
plt.legend()
plt.show()

# %% [markdown]
# **001.** A linear net of two layers learns the digits. With the covariances, an update no longer needs the images.


# %%
def learn_digits(of_inputs, across, updates=100, rate=0.1, hidden=32, seed=0):
    """Return the product of the two layers after 0, 1, … updates."""
    draw = np.random.default_rng(seed).standard_normal
    first, second = draw((hidden, len(of_inputs))), draw((10, hidden))
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second /= np.linalg.norm(second, axis=1, keepdims=True)
    products = [second @ first]
    for _ in range(updates):
        error = products[-1] @ of_inputs - across
        first, second = first - rate * second.T @ error, second - rate * error @ first.T
        products.append(second @ first)
    return products


with np.load(results / "data/whitened.npz") as whitened:
    inputs, labels = whitened["inputs"], whitened["labels"]
covariances = inputs.T @ inputs / len(inputs), np.eye(10)[labels].T @ inputs / len(inputs)
nets = [learn_digits(*covariances, seed=seed) for seed in range(60)]
accuracies = [np.mean((inputs @ products[-1].T).argmax(axis=1) == labels) for products in nets]
print(f"60 nets after 100 updates: {100 * np.mean(accuracies):.2f} % of the training images")
plt.plot([np.linalg.svd(product, compute_uv=False) for product in nets[0]])
plt.gca().set(xlabel="updates", ylabel="singular values of the product")
plt.show()

# %% [markdown]
# **002.** Images x and a small noise dx pass through a random ReLU net. The noise passes linearly: each layer
# multiplies it by its derivative. The slides follow χ, noise over signal, divided by its value at the inputs.


# %%
def propagate(images, normalize, depth=200, width=512, batch=512, seed=0):
    """Return χ after 0, 1, … layers of one net."""
    random, pixels = np.random.default_rng([seed, 0]), torch.from_numpy(images).float().flatten(1)
    x = pixels[random.choice(len(images), size=batch, replace=False)]
    x = (x - x.mean(0)) / x.std(0, correction=0)
    torch.manual_seed(int(random.integers(2**62)))
    dx = torch.randn(x.shape)

    def noise_over_signal():
        return (dx.var(0, correction=0).mean() / x.var(0, correction=0).mean()).sqrt().item()

    start, chi = noise_over_signal(), []
    for layer in range(depth + 1):
        weights = torch.randn(width, x.shape[1]) * ((2 if layer else 1) / x.shape[1]) ** 0.5
        x, dx = x @ weights.T, dx @ weights.T
        if layer and normalize:
            deviation = (x.var(0, correction=0) + 1e-3).sqrt()
            x, dx = (x - x.mean(0)) / deviation, dx / deviation
        if layer:
            x, dx = x.relu(), dx * (x > 0)
        chi.append(noise_over_signal() / start)
    return chi


photographs = np.load(results / "data/cifar10.npz")["images"]
for name, normalize, batch in (("vanilla", False, 64), ("batch normalisation", True, 512)):
    chi = propagate(photographs, normalize, batch=batch)
    plt.loglog(range(1, 201), chi[1:], label=name)
plt.gca().set(xlabel="layer", ylabel="χ")
plt.legend()
plt.show()

# %% [markdown]
# **003.** Each item of a tree is a one-hot input, its ±1 features the targets, so the net is the product of its two
# matrices. From tiny weights, it learns one level of the tree after the other, and its loss falls in steps.


# %%
def learn_tree(updates=250, rate=100, scale=1e-12, features=10_000, hidden=30, seed=2021):
    """Return the loss and the singular values of the product after 0, 1, … updates."""
    odds = np.array([0.5] + 14 * [0.15])
    signs = np.where(np.random.RandomState(seed).random_sample((features, 15)) > odds, 1, -1)
    values = signs[:, :1]
    for nodes in (slice(1, 3), slice(3, 7), slice(7, 15)):
        values = np.repeat(values, 2, axis=1) * signs[:, nodes]
    targets = np.ascontiguousarray(values.T, dtype=np.float32)
    draw = np.random.default_rng(seed).standard_normal
    first = (scale * draw((8, hidden)) / np.sqrt(8 + hidden)).astype(np.float32)
    second = (scale * draw((hidden, features)) / np.sqrt(hidden + features)).astype(np.float32)
    losses, strengths = [], []
    for _ in range(updates + 1):
        error = first @ second - targets
        losses.append(np.mean(error**2))
        strengths.append(np.linalg.svd(first @ second, compute_uv=False))
        error *= 2 / error.size
        first, second = first - rate * error @ second.T, second - rate * first.T @ error
    return losses, np.array(strengths)


losses, strengths = learn_tree()
plt.plot(losses, "k", label="loss")
plt.plot(strengths / strengths[-1, 0], label=[f"mode {number}" for number in range(1, 9)])
plt.gca().set(xlabel="updates")
plt.legend()
plt.show()

# %% [markdown]
# **004.** A ReLU net of four layers learns the digits from partial identities, for one epoch. The document follows the
# rank of W3 - I, the change of its third matrix.


# %%
def train_identity(images, labels, width=256, rate=0.1, batch=64, every=50, seed=1):
    """Return the loss before each 50th update of one epoch, and the rank of W3 - I after it."""
    inputs, targets = torch.from_numpy(images).float() / 255, torch.from_numpy(labels).long()
    pixels = inputs.shape[1]
    sizes = [pixels, pixels, width, width, 10]
    layers = [torch.nn.Linear(*shape) for shape in itertools.pairwise(sizes)]
    for layer in layers:
        torch.nn.init.eye_(layer.weight)
        torch.nn.init.constant_(layer.bias, 0.01)
    net = torch.nn.Sequential(*[part for layer in layers for part in (layer, torch.nn.ReLU())][:-1])
    torch.manual_seed(seed)
    shuffled = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(inputs, targets), batch, shuffle=True)
    losses, ranks = [], []
    for step, (some, truth) in enumerate(shuffled):
        loss = torch.nn.functional.cross_entropy(net(some), truth)
        parameters = list(net.parameters())
        with torch.no_grad():
            for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
                parameter -= rate * gradient
        if step % every == 0:
            losses.append(loss.item())
            change = layers[2].weight.detach() - torch.eye(width)
            ranks.append(int(np.linalg.matrix_rank(change.numpy(), tol=1e-4)))
    return losses, ranks


mnist = np.load(results / "data/mnist.npz")
losses, ranks = train_identity(mnist["train_images"], mnist["train_labels"])
plt.plot(50 * np.arange(len(ranks)), ranks)
plt.gca().set(xlabel="updates", ylabel="rank of W3 - I")
plt.show()
