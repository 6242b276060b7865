"""Saxe's condition for pretraining, on MNIST: are the modes of the task principal components of its inputs?"""
