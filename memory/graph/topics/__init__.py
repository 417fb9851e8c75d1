"""Topics: memories that are near each other, and how topics are connected."""
