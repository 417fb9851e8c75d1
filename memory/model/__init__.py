"""Values, ports and errors that every room may know. No IO."""
