"""What the claims on Saxe et al. 2013 measure."""
