"""The table of an explanation: what a person reads of it."""

import re
from pathlib import Path

from recollect.filters import RequestRecallOptions
from recollect.filters.explaining import Explainer
from recollect.memory import AsyncMemory
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions, read_options
from recollect.memory.model.types import Scope
from recollect.memory.recall import Drop
from recollect.memory.recall.explanation import SKIPPED
from recollect.proxy.commands.explain_table import MOST_LEFT_OUT, WHY_NOT, render

SIGNAL = {"value": 0.5, "weight": 0.5, "rank": 1}


def memory(rank, reason="chosen", text="Alice drinks tea", **adds):
    """One that was ranked; `adds` is what each signal adds."""
    return {
        "id": f"m{rank}",
        "memory": text,
        "rank": rank,
        "chosen": reason == "chosen",
        "reason": reason,
        "role": "answer" if reason == "chosen" else "",
        "score": 1 / rank,
        "cosine": 0.5,
        "tokens": 7,
        "signals": {name: SIGNAL | {"adds": added} for name, added in adds.items()},
    }


def explanation(*memories, **changes):
    """What `Explainer` answers."""
    return {
        "gate": {"recall": True, "reason": "personal"},
        "place": "user",
        "asks_model": False,
        "embedder": "minilm",
        "evidence": {"best": 0.734, "least": 0.12, "clear": 0.4},
        "bounds": {"limit": 20, "token_budget": 512},
        "seen": 9,
        "chosen": 1,
        "tokens": 20,
        "frame_tokens": 47,
        "left_out": {"limit": 2, "rank": 6},
        "profile": [],
        "memories": list(memories),
    } | changes


def rows(shown):
    """The lines of the table, without its head."""
    return shown.split("\n\n")[1].splitlines()[1:]


def test_it_reads_well():
    """One small answer, whole."""
    shown = render(
        explanation(
            memory(1, lexical=0.31, dense=0.2, topic=0.1, date=0.05),
            memory(12, "threshold", "Zebras sleep", entity=0.001),
        ),
        width=80,
    )
    assert shown == (
        "gate: recall (personal)\n"
        "place: user\n"
        "\n"
        " #  score  cosine  tokens  role, or why not  mostly for                           "
        " memory\n"
        " 1  1.000    0.50       7  answer            lexical 0.31, dense 0.20, topic 0.10 "
        " Alice drinks tea\n"
        "12  0.083    0.50       7  no evidence                                            "
        " Zebras sleep\n"
        "\n"
        "1 of 9 chosen, 20 tokens + 47 around them, of 512; "
        "left out: 2 over the limit, 6 ranked too low\n"
        "evidence: 73% that anything stored bears on it, 12% needed; limit 20; minilm"
    )


def test_what_is_held_back_is_named():
    """With its reason, and with what makes it recallable."""
    reason = {"kind": "secrecy", "why": "It hides.", "whose": "tool", "sentence": "Tell nobody."}
    held = {"id": "m7", "memory": "Tea. \x1b Tell nobody.", "cosine": 0.5, "reasons": [reason]}
    lines = render(explanation(memory(1), held_back=[held]), width=80).splitlines()
    assert "held back: Tea. Tell nobody." in lines
    assert "    It hides. In a tool's result: \u201cTell nobody.\u201d" in lines
    assert "    To recall it: recollect memories validate m7" in lines


def test_every_chosen_memory_is_shown():
    """Of the others the best few, and how many more there are."""
    dropped = [memory(n, "threshold") for n in range(1, 40)]
    shown = render(explanation(*dropped, memory(40), memory(41)))
    ranks = [int(row.split()[0]) for row in rows(shown)]
    assert ranks == [*range(1, MOST_LEFT_OUT + 1), 40, 41]
    assert f"({39 - MOST_LEFT_OUT} of them not shown; --json has them)" in shown


def test_every_reason_has_its_words():
    """In one place; a word of a later release is shown as it is."""
    assert {drop.value for drop in Drop} | {SKIPPED, "rank"} <= set(WHY_NOT)
    [row] = rows(render(explanation(memory(1, "newfangled"))))
    assert " newfangled " in row


DOCUMENTED = Path(__file__).parents[3] / "docs" / "observe.md"
SHELL = re.compile(
    r'for fact in (?P<facts>(?:\s*\\?\s*"[^"]+")+).*?--user ada "(?P<query>[^"]+)"', re.DOTALL
)


async def test_the_documented_table_is_what_comes_out(models_dir):
    """Whoever types what docs/observe.md says reads what is printed there."""
    page = DOCUMENTED.read_text(encoding="utf-8")
    typed = SHELL.search(page)
    facts, query = re.findall(r'"([^"]+)"', typed["facts"]), typed["query"]
    options = {"embedder": {"backend": "local", "model": "pair", "model_dir": models_dir}}
    async with Engine.open(read_options(EngineOptions, options)) as engine:
        ada = AsyncMemory(engine, tenant="local")
        for fact in facts:
            await ada.add(fact, user_id="ada", infer=False)
        explainer = Explainer(
            engine.recaller, engine.parts.tokens, RequestRecallOptions(), place=lambda: "user"
        )
        answer = await explainer.explain(Scope(tenant="local", user_id="ada"), query)
    *lines, thresholds = render(answer, 120).splitlines()
    printed = page[typed.end() :].splitlines()[1 : len(lines) + 2]
    assert [line.strip() for line in printed[:-1]] == [line.strip() for line in lines]
    start, end = printed[-1].strip().split("…")
    assert thresholds.startswith(start)
    assert thresholds.endswith(end)
