"""Statistics behind every claim: intervals, paired tests, seeds, many tests, many looks."""
