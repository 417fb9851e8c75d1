"""Example sentences that show by meaning what no list of words holds: `examples.toml`, typed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

_READ: Mapping[str, Any] = tomllib.loads(
    resources.files(__package__).joinpath("examples.toml").read_text("utf-8")
)
Sentences = Sequence[str]

REQUESTS: Mapping[str, Sentences] = _READ["requests"]
IMPERSONAL: Sentences = _READ["impersonal"]
QUESTIONS: Sentences = _READ["questions"]
CHANGES: Sentences = _READ["changes"]
ABOUT: Sentences = _READ["about"]
PRIVATE: Sentences = _READ["private"]
CONSTRAINTS: Mapping[str, Mapping[str, str]] = _READ["constraints"]
"""By trait, each sentence with the topics of requests that it bears on."""
FACTS: Mapping[str, Sentences] = _READ["facts"]
CHAT: Sentences = _READ["chat"]
WISHES: Sentences = _READ["wishes"]
WANTS: Sentences = _READ["wants"]
UNFIT: Sentences = _READ["unfit"]
FIT: Sentences = _READ["fit"]
MATERIAL: Sentences = _READ["material"]
REMARKS: Sentences = _READ["remarks"]
