"""The REST surface that the clients of mem0 speak, answered from the same memories."""
