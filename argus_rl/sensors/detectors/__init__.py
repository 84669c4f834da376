"""Eight ways in which a self-improving model lies to itself, one detector each."""
