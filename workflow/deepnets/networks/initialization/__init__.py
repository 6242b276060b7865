"""How the weights of a net begin: at random, orthogonal, at an identity, decoupled, pretrained."""
