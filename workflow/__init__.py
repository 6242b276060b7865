"""The workflow folder is a package, so that a foreign package of the same name cannot shadow it."""
