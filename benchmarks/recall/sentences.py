"""Texts like those people leave behind, and questions about them, as many as wanted.

Words are drawn by Zipf's law from a vocabulary of 6,000: English function words are its head, then
common content words, names and places, and a long tail of made-up ones. Every text has a topic that
half of its words are of. Its vector is the mean of its words' directions and some noise; a word's
direction is partly its topic's. So texts of a topic are near each other, those that share rare
words are nearer, as with a real model, and nothing has to be embedded.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

VOCABULARY = 6_000
TOPICS = 60
_HEAD = """
the to and of a in my for is on that with it was at I we she he but from they have has had this be
about not as her his our will would when who so if or what after by because before all some more
out up their me you there been can over just also very then into than
"""
_CONTENT = """
coffee tea garden kitchen sister brother mother father daughter son neighbour colleague boss
doctor dentist teacher lawyer landlord bicycle car train flight ticket passport hotel beach
mountain lake river forest city village office meeting project deadline budget invoice salary
contract interview promotion school university exam thesis course language guitar piano violin
concert festival museum painting novel library recipe bread soup pasta rice cheese wine beer
allergy headache knee back surgery medicine vitamin diet running swimming climbing yoga tennis
football chess puppy cat dog horse parrot birthday wedding anniversary funeral holiday summer
winter spring autumn january march may july september november monday tuesday friday sunday
morning evening night laptop phone camera printer server database python rust backup password
house flat rent mortgage roof window sofa table lamp carpet paint red blue green black white small
large old new broken expensive cheap quiet noisy favourite vegetarian gluten sugar salt bought
sold lost found moved started stopped finished planned cancelled booked visited called wrote read
cooked built fixed learned forgot promised loves hates prefers wants needs works lives studies
teaches plays collects avoids worries hopes remembers enjoys
"""
_NAMES = """
Anna Ben Carla David Elena Farid Grace Hiro Ines Jonas Kofi Lena Marco Nadia Oscar Priya Quinn
Rosa Samir Tara Umar Vera Wei Xenia Yusuf Zoe Lisbon Oslo Kyoto Lima Cairo Perth Quito Hanoi Dakar
Riga Turin Bergen Porto Ghent Leeds Austin Denver Boston Krakow Split Malmo Graz Bern
"""
_ONSETS = "b br d dr f g gr h k kl l m n p pr r s st t tr v z"
_RHYMES = "ada alen aro emi enta erin idel ina iso olan ona orit ude umel uri"
_NOISE = 0.5
_TOPICAL = 0.5
"""Share of a text's words that are of its topic."""
_ASKING = (
    "what did I say about",
    "when was",
    "who told me of",
    "do you remember",
    "where did we leave",
    "how much was",
    "which one was",
    "tell me again about",
)


def _vocabulary() -> list[str]:
    known = list(dict.fromkeys(f"{_HEAD} {_CONTENT} {_NAMES}".split()))
    onsets, rhymes = _ONSETS.split(), _RHYMES.split()
    parts = itertools.product(onsets, rhymes, onsets, rhymes)
    made = sorted({"".join(part) for part in parts} - set(known))
    chooser = np.random.default_rng(3)
    tail = chooser.choice(made, VOCABULARY - len(known), replace=False)
    return [*known, *map(str, tail)]


@dataclass(frozen=True)
class Texts:
    """Some texts and their vectors, ``float32[n, dim]``, normalised."""

    texts: list[str]
    vectors: np.ndarray


class Sentences:
    """A source of them; the same seed gives the same ones."""

    def __init__(self, *, dim: int, seed: int = 7) -> None:
        self._words = _vocabulary()
        self._numbers = {word: number for number, word in enumerate(self._words)}
        self._random = np.random.default_rng(seed)
        self._any = _zipf(VOCABULARY)
        self._topics = _topics()
        self._in_topic = _zipf(self._topics.shape[1])
        self._directions = _directions(self._topics, dim)

    def memories(self, count: int) -> Texts:
        """Texts of 6 to 20 words."""
        lengths = self._random.integers(6, 21, count)
        numbers = [self._draw(length) for length in lengths]
        texts = [" ".join(self._words[n] for n in row) for row in numbers]
        return Texts(texts, self._vectors(numbers))

    def questions(self, about: Sequence[str], count: int) -> Texts:
        """Distinct questions, each with two to four of the rarer words of one of these texts."""
        found: dict[str, np.ndarray] = {}
        while len(found) < count:
            words = about[self._random.integers(len(about))].split()
            rare = sorted(words, key=self._numbers.__getitem__)[-6:]
            some = self._random.permutation(rare)[: self._random.integers(2, 5)]
            asking = _ASKING[self._random.integers(len(_ASKING))]
            numbers = np.array([self._numbers[word] for word in some])
            found.setdefault(f"{asking} {' '.join(some)}?", numbers)
        return Texts(list(found), self._vectors(list(found.values())))

    def _draw(self, length: int) -> np.ndarray:
        topic = self._topics[self._random.integers(TOPICS)]
        general = np.searchsorted(self._any, self._random.random(length))
        special = topic[np.searchsorted(self._in_topic, self._random.random(length))]
        return np.where(self._random.random(length) < _TOPICAL, special, general)

    def _vectors(self, numbers: Sequence[np.ndarray]) -> np.ndarray:
        starts = np.cumsum([0, *(len(row) for row in numbers[:-1])])
        sums = np.add.reduceat(self._directions[np.concatenate(numbers)], starts, axis=0)
        sums /= np.linalg.norm(sums, axis=1, keepdims=True)
        noise = self._random.standard_normal(sums.shape, dtype=np.float32)
        sums += _NOISE * noise / np.sqrt(sums.shape[1])
        return (sums / np.linalg.norm(sums, axis=1, keepdims=True)).astype(np.float32)


def _zipf(count: int) -> np.ndarray:
    """Cumulated shares of ranks by Zipf and Mandelbrot."""
    cumulated = np.cumsum(1 / (np.arange(1, count + 1) + 2.7))
    return cumulated / cumulated[-1]


def _topics() -> np.ndarray:
    """Word numbers by topic, ``int[TOPICS, words]``, the frequent ones of each first."""
    content = np.arange(len(_HEAD.split()), VOCABULARY)
    return content[: len(content) // TOPICS * TOPICS].reshape(-1, TOPICS).T


def _directions(topics: np.ndarray, dim: int) -> np.ndarray:
    """``float32[VOCABULARY, dim]``; rare words are longer, because they say more."""
    random = np.random.default_rng(1)
    found = random.standard_normal((VOCABULARY, dim))
    for words in topics:
        found[words] += random.standard_normal(dim)
    weights = np.log(np.arange(2, VOCABULARY + 2))[:, None]
    return (found * weights / np.sqrt(dim)).astype(np.float32)
