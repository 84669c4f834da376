"""Sensors read the run and change nothing: one part a file, each returning a `Reading`."""
