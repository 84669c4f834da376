"""One run from settings to verdict: its folder, its evaluations, and the loops between them."""
