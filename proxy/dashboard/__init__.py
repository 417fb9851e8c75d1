"""The dashboard: static files that a browser runs; everything they show comes from the memory API."""
