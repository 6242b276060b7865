"""Initial weights of a net: random, orthogonal, an identity, decoupled, pretrained."""
