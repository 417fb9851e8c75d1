"""Example sentences that show by meaning what no list of words holds: `examples.toml`, typed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

EXAMPLES: Mapping[str, Any] = tomllib.loads(
    resources.files(__package__).joinpath("examples.toml").read_text("utf-8")
)
"""All of them."""
Sentences = Sequence[str]

REQUESTS: Mapping[str, Sentences] = EXAMPLES["requests"]
IMPERSONAL: Sentences = EXAMPLES["impersonal"]
TOOL_ORDERS: Sentences = EXAMPLES["tool_orders"]
PERSONAL_ORDERS: Sentences = EXAMPLES["personal_orders"]
QUESTIONS: Sentences = EXAMPLES["questions"]
PUBLIC: Sentences = EXAMPLES["public"]
OWN: Sentences = EXAMPLES["own"]
CHANGES: Sentences = EXAMPLES["changes"]
ABOUT: Sentences = EXAMPLES["about"]
PRIVATE: Sentences = EXAMPLES["private"]
CONSTRAINTS: Mapping[str, Mapping[str, str]] = EXAMPLES["constraints"]
"""By trait, each sentence with the topics of requests that it bears on."""
FACTS: Mapping[str, Sentences] = EXAMPLES["facts"]
THEMES: Mapping[str, Mapping[str, Sentences]] = EXAMPLES["themes"]
"""By theme, questions (`asked`) and statements (`told`)."""
CHAT: Sentences = EXAMPLES["chat"]
FRAMES: Sentences = EXAMPLES["frames"]
WISHES: Sentences = EXAMPLES["wishes"]
ORDINARY: Sentences = EXAMPLES["ordinary"]
WANTS: Sentences = EXAMPLES["wants"]
UNFIT: Sentences = EXAMPLES["unfit"]
FIT: Sentences = EXAMPLES["fit"]
MATERIAL: Sentences = EXAMPLES["material"]
REMARKS: Sentences = EXAMPLES["remarks"]
DISPUTES: Sentences = EXAMPLES["disputes"]
UNDISPUTED: Sentences = EXAMPLES["undisputed"]
FOREIGN_LABELS: Sentences = EXAMPLES["foreign_labels"]
OWN_LABELS: Sentences = EXAMPLES["own_labels"]
CLIENT_REQUESTS: Sentences = EXAMPLES["client_requests"]
TO_ASSISTANTS: Sentences = EXAMPLES["to_assistants"]
