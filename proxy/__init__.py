"""The edge: transport and wiring."""
