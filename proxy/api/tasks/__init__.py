"""Tasks: long work of the memory API, which goes on after its request was answered."""
