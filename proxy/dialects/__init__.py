"""The APIs whose requests receive memories: parsers, and edits of their bodies."""
