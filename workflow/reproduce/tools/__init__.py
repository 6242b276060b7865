"""The programs that people start, for example to check results, list changes and sum up costs."""
