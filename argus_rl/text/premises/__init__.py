"""Premise validation: what a problem text asserts that is demonstrably false or impossible."""
