# Block of config.yaml → settings of its net.
NETS = {
    "linear": {"depth": 1, "init": "zeros", "rank": 0, "scale": 1},
    "two_layers": {"depth": 2, "init": "xavier_normal", "rank": 0, "scale": 1},
    "rank_2": {"depth": 2, "init": "xavier_normal", "rank": 2, "scale": 1},
    "near_zero": {"depth": 3, "init": "xavier_normal", "rank": 0, "scale": 1e-4},
    "large_scale": {"depth": 3, "init": "xavier_normal", "rank": 0, "scale": 1000},
}
# Mean test accuracies in percent. STANDARD_ERRORS contains those that the text gives.
ACCURACIES = {
    "linear": 53.0,  # "We get an accuracy of 53%"
    "two_layers": 60.3,  # "60.3% with standard deviation 0.6%"
    "rank_2": 85.0,  # "85% accuracy!"
    "near_zero": 84.0,  # "ca 84%"
    "large_scale": 57.5,  # "57.5% with standard deviation 1%"
}
STANDARD_ERRORS = {"two_layers": 0.6, "large_scale": 1.0}
# Depth → test accuracy in percent, read off the figure dln_classifier_depth. READING_ERROR: of these values.
READ_OFF = {1: 53.0, 2: 59.8, 3: 69.6, 4: 75.4, 5: 77.1, 6: 78.8}
READING_ERROR = 0.2
