"""What users said: recallable at once, before and without extraction."""
