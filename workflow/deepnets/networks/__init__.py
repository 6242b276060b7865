"""Networks: initialisations, linear and ReLU nets, random deep nets, their moments and ranks."""
