"""Deciders are pure functions from readings to a `Decision` that carries its reason."""
