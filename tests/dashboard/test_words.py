"""Each word that the API may tell has a sentence on the dashboard."""

import re
from pathlib import Path

from recollect.filters.exchange import Outcome
from recollect.memory.model.endings import REFILED
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import MemoryStatus, MemoryType, Source
from recollect.memory.recall.profile import Role
from recollect.memory.recall.selection import Drop
from recollect.proxy.dashboard.files import STATIC

WORDS = (STATIC / "words.js").read_text("utf-8")
OBSERVE = Path(__file__).parents[2] / "docs" / "observe.md"
ROW = re.compile(r"^\| `(?:injected|empty|skipped|degraded|off)` \| (.*) \|$", re.MULTILINE)


def keys(name):
    """Of an object in a script."""
    body = re.search(rf"const {name} = {{(.*?)}};", WORDS, re.DOTALL)
    assert body is not None, name
    return set(re.findall(r"(?:^|[{,\s])([a-z_]+): ", body[1]))


def values(words):
    return {each.value for each in words}


def test_every_reason_of_a_chat_has_a_sentence():
    """The reasons are those of the table of `x-recollect-reason`."""
    reasons = set(re.findall(r"`([a-z_]+)`", " ".join(ROW.findall(OBSERVE.read_text("utf-8")))))
    assert len(reasons) > 30
    assert reasons - keys("REASONS") == set()


def test_fates_outcomes_types_sources_and_statuses_have_words():
    """Also why a memory was chosen or left out, and the mark of a version with the same text."""
    assert values(Role) | values(Drop) <= keys("FATES")
    assert f'endsWith("{REFILED}")' in WORDS
    assert values(Outcome) <= keys("OUTCOMES")
    assert values(MemoryType) <= keys("TYPES")
    assert values(Source) <= keys("SOURCES")
    assert values(MemoryStatus) <= keys("STATUSES")
    assert values(JobKind) - {JobKind.LEARN} <= keys("UPKEEP")
