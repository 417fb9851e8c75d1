"""Background work: jobs and their leases, idle conversations, and yielding to requests."""
