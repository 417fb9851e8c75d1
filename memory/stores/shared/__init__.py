"""What several stores share: a memory as a row, its limits, and filters in a store's language."""
