"""Experiments on the framework itself: labelled sets, null runs, planted faults, audits."""
