"""The programs that people start, for example to check results, list changes and estimate costs."""
