"""What every room stands on: values, signals, roles, randomness, errors and statistics."""
