"""The APIs whose requests are given memories: how each is read and added to."""
