"""The frozen settings that a user may change, and how they are read and checked."""
