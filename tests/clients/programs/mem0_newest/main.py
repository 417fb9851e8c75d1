"""The `mem0ai` client: the newest."""

from mem0_session import run

run()
