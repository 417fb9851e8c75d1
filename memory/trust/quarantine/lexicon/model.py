"""The shape of one language's terms."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class CuePack:
    """Terms by what they are a sign of, parted by commas.

    A term is one or more words; ``*`` at its end stands for any ending of its last word. Scripts
    without spaces need none. Terms are read after ``text.normalise``, as texts are.
    """

    language: str
    assistant: str
    """Whoever may be addressed: the model, its makers' products, agents."""
    user: str
    """The user as somebody else would call them: user, customer, reader, account holder."""
    self_: str
    """First person: I, my, we."""
    you: str
    """Second person."""
    anyone: str
    """Anybody, all users: whoever speaks does not speak of themselves."""
    standing: str
    """Always, from now on, in every session."""
    condition: str
    """If, when, whenever."""
    remember: str
    """Verbs and nouns of keeping in memory."""
    override: str
    """Ignore, disregard, bypass."""
    rules: str
    """Instructions, guidelines, filters: what is overridden."""
    unbound: str
    """No limits, never refuses, developer mode."""
    persona: str
    """You are now, pretend, act as."""
    send: str
    """Send, forward, append, read out."""
    data: str
    """What must not leave: conversations, memory, credentials, private files."""
    everything: str
    """All of it."""
    hide: str
    """Silently, conceal, without telling."""
    negation: str
    tell: str
    """Tell, mention, warn: with a negation it is secrecy."""
    kin: str
    """People a user keeps surprises and private matters from."""
    authority: str
    """Administrators, support, security teams, makers of models."""
    grant: str
    """May, is authorised, has access, is exempt."""
    unconfirmed: str
    """Without confirmation, automatically, pre-approved."""
    action: str
    """What does damage if nobody looks: pay, transfer, delete, run, install."""
    disable: str
    """Switch off, skip, waive."""
    guard: str
    """What is switched off: checks, verification, firewall."""
    promote: str
    """Recommend, cite, name first, steer to."""
    payee: str
    """Where money goes: account number, IBAN, wallet."""
    third: str
    """Third person: whoever says it of the user is not the user."""
    holder: str
    """What others call the user: account, owner, customer; hardly anybody calls themselves so."""
    bridge: str
    """Stands for, is merged into, in place of: one subject's memories lead to another's."""
    intro: str
    """Says who is speaking: "I'm the", "on behalf of", "calling"."""
    process: str
    """Translate, summarise, proofread: what follows is not the user's own word."""
    topic: str
    """Work or play about such things: research, testing, novel, course."""

    def terms(self) -> dict[str, tuple[str, ...]]:
        """The terms of every field, by its name."""
        named = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {
            name: tuple(term.strip() for term in value.split(",") if term.strip())
            for name, value in named
            if name != "language"
        }
