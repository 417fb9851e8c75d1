"""Detects harm by combinations of cues, none of which is suspicious alone."""

from __future__ import annotations

from .formats import LINK, PHONE, SHELL
from .values import SuspicionKind

_BEACON_MARK = "!["


def harms(text: str, found: frozenset[str]) -> dict[SuspicionKind, str]:
    """The kinds of harm in `text`, whose cues are `found`, each with its rule."""
    rules = {
        SuspicionKind.INSTRUCTION: _instruction(found),
        SuspicionKind.EXFILTRATION: _exfiltration(text, found),
        SuspicionKind.SECRECY: _secrecy(found),
        SuspicionKind.FALSE_AUTHORITY: _authority(found),
        SuspicionKind.UNSAFE_ACTION: _action(text, found),
        SuspicionKind.STEERING: _steering(text, found),
    }
    return {kind: rule for kind, rule in rules.items() if rule}


def _instruction(found: frozenset[str]) -> str:
    if {"assistant", "persona"} <= found:
        return "assistant becomes another"
    if {"override", "rules"} <= found:
        return "rules set aside"
    return "no limits" if "unbound" in found else ""


def _exfiltration(text: str, found: frozenset[str]) -> str:
    if _BEACON_MARK in text and LINK.search(text):
        return "image beacon"
    if not {"send", "data"} <= found:
        return ""
    told = LINK.search(text) or PHONE.search(text) or "everything" in found
    return "data sent or read out" if told else ""


def _secrecy(found: frozenset[str]) -> str:
    if "kin" in found:
        return ""
    if {"negation", "tell", "user"} <= found:
        return "user not told"
    kept = "hide" in found and found & {"user", "tell", "anyone"}
    return "hidden from somebody" if kept else ""


def _authority(found: frozenset[str]) -> str:
    return "permission claimed" if {"authority", "grant"} <= found else ""


def _action(text: str, found: frozenset[str]) -> str:
    if SHELL.search(text):
        return "dangerous command"
    if {"action", "unconfirmed"} <= found:
        return "action without consent"
    return "protection switched off" if {"disable", "guard"} <= found else ""


def _steering(text: str, found: frozenset[str]) -> str:
    return "led to an address" if found & {"promote", "send", "user"} and LINK.search(text) else ""
