"""What is kept out of memory, and what waits in it unseen."""
