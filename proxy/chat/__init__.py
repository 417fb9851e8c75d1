"""Routes with memory: read a request, recall, forward it, capture the answer."""
