"""Statements of users: recallable at once, before and without extraction."""
