"""What one chat adds to its tenant's sums of the day. Pure."""

from __future__ import annotations

from recollect.filters import Exchange, Outcome, ReportedUsage, Verdict
from recollect.memory.model.daily_sums import Amounts, Summed


def chat_amounts(verdict: Verdict, exchange: Exchange) -> Amounts:
    """Of a chat that the model server answered."""
    amounts = {Summed.CHATS: 1}
    if exchange.payer.texts:
        amounts[Summed.EMBEDDED_TEXTS] = exchange.payer.texts
    if verdict.outcome is Outcome.INJECTED:
        selection = exchange.selection
        amounts[Summed.RECALLED] = 1
        amounts[Summed.INJECTED_LINES] = len(exchange.injected)
        amounts[Summed.INJECTED_TOKENS] = 0 if selection is None else selection.tokens
    return amounts


def answer_amounts(usage: ReportedUsage) -> Amounts:
    """Of an answer that says what its prompt took."""
    return {
        Summed.CACHED_ANSWERS: 1,
        Summed.CACHED_TOKENS: usage.cached_tokens,
        Summed.PROMPT_TOKENS: usage.prompt_tokens,
    }


def uncounted(tenant: str, amounts: Amounts) -> None:
    """Counts nothing."""
