"""A request's way through memory: read, recalled for, forwarded, listened to."""
