"""Access control: whose request it is, whether it may have memory, and its credentials."""
