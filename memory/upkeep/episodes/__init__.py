"""Episodes: one memory of each stretch of conversation."""
