"""Reading text: final answers, stated equations, premises and similarity."""
