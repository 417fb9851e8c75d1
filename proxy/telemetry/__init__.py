"""What the process tells about itself: spans, metrics and the log."""
