"""Signs of a planted fact; none is suspicious alone."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Terms, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Planting:
    """Signs of a planted fact; none is suspicious alone."""

    assistant: Terms = terms("Whoever may be addressed: the model, its makers' products, agents.")
    user: Terms = terms(
        "The user as somebody else would call them: user, customer, reader, account holder."
    )
    me: Terms = terms("First person: I, my, we.")
    you: Terms = terms("Second person.")
    anyone: Terms = terms("Anybody, all users: whoever speaks does not speak of themselves.")
    standing: Terms = terms("Always, from now on, in every session.")
    condition: Terms = terms("If, when, whenever.")
    remember: Terms = terms("Verbs and nouns of keeping in memory.")
    override: Terms = terms("Ignore, disregard, bypass.")
    rules: Terms = terms("Instructions, guidelines, filters: what is overridden.")
    unbound: Terms = terms("No limits, never refuses, developer mode.")
    persona: Terms = terms("You are now, pretend, act as.")
    send: Terms = terms("Send, forward, append, read out.")
    data: Terms = terms("What must not leave: conversations, memory, credentials, private files.")
    everything: Terms = terms("All of it.")
    hide: Terms = terms("Silently, conceal, without telling.")
    negation: Terms = terms("Not, never, without: with a verb of telling it is secrecy.")
    tell: Terms = terms("Tell, mention, warn: with a negation it is secrecy.")
    kin: Terms = terms("People a user keeps surprises and private matters from.")
    authority: Terms = terms("Administrators, support, security teams, makers of models.")
    grant: Terms = terms("May, is authorised, has access, is exempt.")
    unconfirmed: Terms = terms("Without confirmation, automatically, pre-approved.")
    action: Terms = terms("What does damage if nobody looks: pay, transfer, delete, run, install.")
    disable: Terms = terms("Switch off, skip, waive.")
    guard: Terms = terms("What is switched off: checks, verification, firewall.")
    promote: Terms = terms("Recommend, cite, name first, steer to.")
    third: Terms = terms("Third person: whoever says it of the user is not the user.")
    holder: Terms = terms(
        "What others call the user: account, owner, customer; hardly anybody calls themselves so."
    )
    process: Terms = terms(
        "Translate, summarise, proofread: what follows is not the user's own word."
    )
    topic: Terms = terms("Work or play about such things: research, testing, novel, course.")
    wish: Terms = terms(
        "Wants, prefers, would like, asks for, expects: somebody's will, in every person."
    )
    asked: Terms = terms("Asks, enquires, wants to know, is asked: a question that may come.")
    regardless: Terms = terms("No matter who or what: even if, whoever, whatever it costs.")
    stranger: Terms = terms(
        "Somebody else is writing: this is ..., on behalf of, on her phone, while he sleeps."
    )
    article: Terms = terms('What may stand before "user": the, der, le.')
    possessive: Terms = terms(
        'What joins somebody\'s people and things to them: "of the" in "the sister of the user".'
    )
