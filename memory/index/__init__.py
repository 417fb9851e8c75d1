"""Vector indexes that can be thrown away: the database is filled into them."""
