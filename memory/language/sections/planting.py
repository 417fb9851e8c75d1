"""Signs of a planted fact; none is suspicious alone."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Terms, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Planting:
    """Signs of a planted fact; none is suspicious alone."""

    assistant: Terms = terms("Whoever may be addressed: the model, its makers' products, agents.")
    you: Terms = terms("Second person.")
    standing: Terms = terms("Always, from now on, in every session.")
    remember: Terms = terms("Verbs and nouns of keeping in memory.")
    override: Terms = terms("Ignore, disregard, bypass.")
    rules: Terms = terms("Instructions, guidelines, filters: what is overridden.")
    send: Terms = terms("Send, forward, append, read out.")
    data: Terms = terms("What must not leave: conversations, memory, credentials, private files.")
    everything: Terms = terms("All of it.")
    hide: Terms = terms("Silently, conceal, without telling.")
    tell: Terms = terms("Tell, mention, warn: with a negation it is secrecy.")
    authority: Terms = terms("Administrators, support, security teams, makers of models.")
    grant: Terms = terms("May, is authorised, has access, is exempt.")
    unconfirmed: Terms = terms("Without confirmation, automatically, pre-approved.")
    guard: Terms = terms("What is switched off: checks, verification, firewall.")
    process: Terms = terms(
        "Translate, summarise, proofread: what follows is not the user's own word."
    )
    topic: Terms = terms("Work or play about such things: research, testing, novel, course.")
    asked: Terms = terms("Asks, enquires, wants to know, is asked: a question that may come.")
    regardless: Terms = terms("No matter who or what: even if, whoever, whatever it costs.")
