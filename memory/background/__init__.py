"""What goes on when nobody waits: jobs, their leases, silent conversations, and quiet moments."""
