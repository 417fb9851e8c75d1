"""Several worker processes behind one port: `listen.workers`."""
