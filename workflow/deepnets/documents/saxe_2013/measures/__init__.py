"""The measures of the claims on Saxe et al. 2013, by subject."""
