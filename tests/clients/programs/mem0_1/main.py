"""The `mem0ai` client: the last 1.x."""

from mem0_session import run

run()
