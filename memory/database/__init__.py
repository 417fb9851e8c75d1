"""What is written once for every SQL database: tables, scripts, and the ports that they serve."""
