"""Secrets known by their form alone: no word of a language."""
