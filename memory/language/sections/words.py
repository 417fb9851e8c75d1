"""Frequent words, which tell the language and say little.

The terms that stored texts are indexed by depend on all of these but `name_particles` and
`labels`: after a change, memories of that language are found worse until they are indexed again.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Rows, Terms, flag, rows, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequentWords:
    """Frequent words, which tell the language and say little."""

    widespread: bool = flag(
        "Many users write it: one of its words is evidence enough. Two are needed otherwise."
    )
    accents_left_out: bool = flag(
        "Often typed without accents, and the stop words without accents are no common words."
    )
    inflects_names: bool = flag("Names take endings: a text may have a name in another form.")
    stop: Terms = terms(
        "Function words, which are no search terms: articles, pronouns, prepositions, "
        "conjunctions, auxiliary verbs, question words, in all forms."
    )
    stop_characters: Terms = terms(
        "The same for a script without blanks between words: single characters, written together."
    )
    stop_pairs: Terms = terms(
        "Pairs of characters that say nothing, such as endings, in a script without blanks or in "
        "Korean."
    )
    capitals: Terms = terms(
        "Stop words that are none when written exactly so: a month, a name, a country."
    )
    elided: Terms = terms('What stands shortened before a word and says nothing ("l\'", "dell\'").')
    clitics: Terms = terms(
        'What may follow an apostrophe and says nothing ("\'s"). With a star, such as "*n\'t", the '
        "whole word says nothing."
    )
    capitalised_nouns: bool = flag(
        "Every noun is written with a capital, so that a capital marks no name (German)."
    )
    attached: Terms = terms('Particles that are written onto the next word (Arabic "and", "the").')
    common: Terms = terms(
        "Everyday words that tell the language, and words that are stop words only elsewhere."
    )
    letters: Terms = terms(
        "Letters and signs that tell the language, written together; each counts as a stop word."
    )
    irregular: Rows = rows(
        "Irregular words: the base form first, then its forms. Of a form of two words the later "
        "row counts; a form that is as common as another word is left out.",
        ordered=False,
    )
    ordinal_endings: Terms = terms('What follows digits in an ordinal number ("th").')
    name_particles: Terms = terms('What may stand inside a name in lower case ("van").')
    labels: Terms = terms(
        'What may stand before a colon at the beginning of a line and names nobody ("note").'
    )
