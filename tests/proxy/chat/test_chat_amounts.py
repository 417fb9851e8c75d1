"""What a chat adds to the sums of the day."""

from types import SimpleNamespace

from recollect.filters import Outcome, ReportedUsage, Verdict
from recollect.memory.model.daily_sums import Payer, Summed
from recollect.proxy.chat.chat_amounts import answer_amounts, chat_amounts


def exchange(*injected, tokens=0):
    payer, selection = Payer("acme", proven=False), SimpleNamespace(tokens=tokens)
    return SimpleNamespace(injected=set(injected), selection=selection, payer=payer)


def test_lines_and_tokens_of_what_was_injected():
    """Those that the model was given."""
    found = chat_amounts(Verdict(Outcome.INJECTED, "personal"), exchange("a", "b", tokens=40))
    assert found == {
        Summed.CHATS: 1,
        Summed.RECALLED: 1,
        Summed.INJECTED_LINES: 2,
        Summed.INJECTED_TOKENS: 40,
    }


def test_texts_that_were_embedded_for_it():
    """They were counted apart until the model server took the credentials."""
    chat = exchange()
    chat.payer.texts = 2
    found = chat_amounts(Verdict(Outcome.EMPTY, "x"), chat)
    assert found == {Summed.CHATS: 1, Summed.EMBEDDED_TEXTS: 2}


def test_an_answer_that_tells_of_its_prompt():
    """Its tokens, and that it told."""
    assert answer_amounts(ReportedUsage(50, 20)) == {
        Summed.CACHED_ANSWERS: 1,
        Summed.CACHED_TOKENS: 20,
        Summed.PROMPT_TOKENS: 50,
    }
