"""Forty topics of our own, each with an ending that takes back what stands before it."""

from __future__ import annotations

from recollect.memory.upkeep.consolidate.prompts import Said
from recollect.memory.upkeep.consolidate.summary import summary_of
from recollect.memory.upkeep.consolidate.truncation import Note
from tests.support.tables import tables

from .notes import notes

TOPICS = tables(__file__)["topics"]
FEWEST = 37
"""Topics of which there is a summary; of the others one would be too long, or is in doubt."""


def shortest(text):
    """What a model may say that leaves out as much as it can: the first words alone."""
    return text[: Note(text).words.ends[3]]


def summaries():
    for _, texts in TOPICS:
        sources = notes(texts)
        said = [Said(shortest(one.text), (at,)) for at, one in enumerate(sources, 1)]
        yield sources, summary_of(sources, said, redact=str, least=3)


def test_every_clause_of_a_summary_is_borne_out():
    """Whatever the model leaves out: a memory is said with all that limits it, or not at all."""
    for sources, summary in summaries():
        for source in sources if summary is not None else ():
            said = source.text.rstrip(".\u3002") in summary.text
            begun = shortest(source.text) in summary.text
            assert said or not begun, (source.text, summary.text)


def test_nearly_every_topic_has_a_summary():
    """The counter-figure: nothing is true only because nothing is said."""
    made = [summary for _, summary in summaries() if summary is not None]
    assert len(TOPICS) == 40
    assert len(made) >= FEWEST
    assert sum(len(summary.covers) for summary in made) >= 4.5 * len(made)
