"""The table of operations: every operation once. All surfaces are made from it."""
