"""The largest useful learning rate of deep nets at initialisation, for several depths."""
