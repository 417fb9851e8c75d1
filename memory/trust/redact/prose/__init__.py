"""Secrets told in prose: a word for a secret near a value that looks like one."""

from __future__ import annotations
