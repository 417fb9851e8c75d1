"""The reverse proxy: transport, routes and wiring."""
