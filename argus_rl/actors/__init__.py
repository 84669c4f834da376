"""The plant: who proposes, who solves, who learns, and what is remembered."""
