"""Memory for clients of the Model Context Protocol: `/mcp`, and `recollect mcp` on stdio."""
