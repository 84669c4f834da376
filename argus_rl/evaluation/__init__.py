"""Where claims are made: held-out items, verdicts in words, and comparisons over seeds."""
