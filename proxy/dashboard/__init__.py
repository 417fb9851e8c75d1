"""The dashboard: static files for a browser; what they show comes from the memory API."""
