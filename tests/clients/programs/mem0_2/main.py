"""The `mem0ai` client: the first 2.x."""

from mem0_session import run

run()
