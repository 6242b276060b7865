"""The numbers that we read off the pictures of document 002, which prints none of them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """A number that we read off a picture.

    value: from the picture of convolutions on CIFAR-10; fully_connected: from the authors' picture of fully connected
    nets; line: the width of the line in the picture, which limits the precision.
    """

    value: float
    fully_connected: float
    line: float = 0.006


# By curve, then by layer. The key None is for the layer at which two curves cross.
READINGS: dict[str, dict[int | None, Reading]] = {
    # "Vanilla Nets"
    "vanilla_increment": {2: Reading(1.113, 1.125), 200: Reading(1.003, 1.004)},
    "vanilla_rank": {
        4: Reading(3.67, 5.0, 0.05),
        100: Reading(1.10, 1.05, 0.05),
        200: Reading(1.04, 1.04, 0.05),
    },
    # "Batch-Normalized Feedforward Nets"
    "relu_increment": {10: Reading(1.195, 1.194), 200: Reading(1.020, 1.070)},
    "bn_increment": {10: Reading(1.005, 1.010), 200: Reading(1.143, 1.121)},
    "increment": {200: Reading(1.165, 1.197)},
    "crossing": {None: Reading(52, 72, 2)},
    "sensitivity": {200: Reading(13.7, 15.6, 0.1)},
    "rank": {10: Reading(14.8, 11.6, 0.7), 200: Reading(2.10, 2.47, 0.1)},
    # ln μ₄, from 10^2.09 and 10^1.56.
    "tails": {200: Reading(4.81, 3.59, 0.12)},
    "absolute_moment": {2: Reading(0.80, 0.80, 0.04), 200: Reading(0.27, 0.47, 0.02)},
    # "Batch-Normalized ResNets"
    "branch_increment": {500: Reading(1.203, 1.233)},
    "branch_relu_increment": {500: Reading(1.195, 1.206)},
    "branch_bn_increment": {500: Reading(1.006, 1.025)},
    "resnet_sensitivity": {500: Reading(33.5, 35.2, 0.9)},
    "branch_rank": {500: Reading(15.9, 12.8, 0.8)},
    "branch_tails": {500: Reading(4.0, 3.4, 0.1)},
    "branch_absolute_moment": {500: Reading(0.78, 0.78, 0.04)},
}
# The centres of the histograms of ln ν₂(x) and ln μ₂(dx), minus the value at layer 0, by layer, and the uncertainty of
# reading them off.
SIGNAL_HISTOGRAMS, SIGNAL_READING = {50: -1.0, 200: -4.0}, 0.3
NOISE_HISTOGRAMS, NOISE_READING = {50: -0.2, 200: -0.8}, 0.15
