"""What the config may say, and what it means: one module per experiment, named like the experiment's own."""
