"""Where a model server takes memories: what is known, what its answers teach, and what is kept."""
