"""Connections, headers and relaying between client and upstream. Does not depend on memory."""
