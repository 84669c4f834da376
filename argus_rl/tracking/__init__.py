"""Where a run can be watched: the terminal, wandb, and one page of plots from the ledger."""
