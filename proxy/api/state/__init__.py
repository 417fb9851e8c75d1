"""What the dashboard shows, over HTTP: figures, the last exchanges, and why."""
