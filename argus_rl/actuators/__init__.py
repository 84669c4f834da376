"""Actuators carry decisions out; they alone change weights, memory or dials."""
