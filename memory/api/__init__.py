"""What a program calls: `AsyncMemory`, `Memory`, and what their methods return."""
