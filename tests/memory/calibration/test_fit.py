"""Weights of evidence from questions whose answer is stored, or is not."""

from dataclasses import asdict

import numpy as np
import pytest

from recollect.memory.calibration import ANSWERS
from recollect.memory.calibration.fit import FitRow, fit_answers, regress
from recollect.memory.calibration.weights import BUILT_IN

CHANCE = np.random.default_rng(7)
NEAR, WORDS = ANSWERS.index("near"), ANSWERS.index("words")


def asked(answered, *, memories=6):
    """A question that only the nearness of one memory tells; words are noise."""
    table = np.zeros((len(ANSWERS), memories))
    table[NEAR] = CHANCE.uniform(0, 0.4, memories)
    table[NEAR, -1] += 0.6 * answered
    table[WORDS] = CHANCE.uniform(0, 0.2, memories)
    return FitRow(table, answered)


QUESTIONS = [asked(answered=n % 2 == 0) for n in range(200)]


def right_shares(weights):
    given = np.array([getattr(weights, name) for name in ANSWERS])
    odds = [float((given @ one.table).max() + weights.bias) for one in QUESTIONS]
    return np.mean([(odd > 0) == one.answered for odd, one in zip(odds, QUESTIONS, strict=True)])


def test_what_tells_gets_weight():
    """And the questions are told apart by it."""
    found = fit_answers(QUESTIONS, BUILT_IN, penalty=0.01)
    assert found.near > abs(found.words)
    assert right_shares(found) > 0.95


def test_a_few_questions_do_not_overturn_what_is_known():
    """With a penalty the weights stay where they were; what never varies stays exactly there."""
    stiff = fit_answers(QUESTIONS[:4], BUILT_IN, penalty=1e6)
    assert asdict(stiff) == pytest.approx(asdict(BUILT_IN), abs=0.01)
    loose = fit_answers(QUESTIONS, BUILT_IN, penalty=0.01)
    assert loose.personal == BUILT_IN.personal


def test_it_settles_where_a_full_step_overshoots():
    """From weights with which every probability is 0 or 1, and with labels that words tell alone."""
    rows = np.linspace(-1, 1, 50)[:, None]
    found = regress(
        rows, (rows[:, 0] > 0).astype(float), np.ones(50), near=np.array([40.0, 40.0]), penalty=0.01
    )
    assert np.isfinite(found).all()
    assert abs(found[0]) < 1 < found[1]
