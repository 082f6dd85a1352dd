"""The average case over random traffic, with a confidence interval."""
