"""Language models: how they are loaded, talked to, sampled, scored and taught."""
