"""Seals the texts and vectors of each user with a key of theirs (`database.encryption: per_user`).

Statements are sealed on their way into the database and rows are opened on their way out, so that
nothing else knows of it. What is sealed is declared in `columns.py`.
"""
