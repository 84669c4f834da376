"""What a run leaves behind: typed records and events, an append-only journal and checkpoints."""
