"""Which thresholds an embedder gets."""

from dataclasses import replace

from recollect.memory.calibration import SAFE, Calibration, calibration_for, is_calibrated
from recollect.memory.embedders import id_of
from recollect.memory.embedders.local.model import MiniLM
from recollect.memory.embedders.local.pair import ModelPair
from recollect.memory.embedders.local.use import UniversalEncoder
from recollect.memory.embedders.local.weights import MINILM, NEEDED
from tests.support.folding import rows

DIMS = {"minilm": MiniLM.dim, "use": UniversalEncoder.dim, "pair": ModelPair.dim}

MINE = Calibration(recall=0.3, update=0.6, same=0.9, floor=0.2, ceiling=0.8, dim=512)


@rows("model", NEEDED)
def test_measured_embedders(model):
    """Each local embedder is measured at its length, and its zones stand in order."""
    zones = calibration_for(id_of(model), dim=DIMS[model])
    assert is_calibrated(id_of(model), dim=DIMS[model])
    assert zones.dim == DIMS[model]
    assert 0 < zones.recall < zones.update < zones.same < 1
    assert 0 < zones.floor < zones.ceiling < 1
    assert all(0 < worth <= 1 for worth in zones.languages.values())


def test_the_operators_measurement_goes_first():
    """It beats the built-in values, and calibrates what nobody else has measured."""
    measured = {MINILM.model_id: replace(MINE, dim=None), "mine": MINE}
    assert calibration_for(MINILM.model_id, measured=measured) == replace(MINE, dim=None)
    assert calibration_for("mine", measured=measured) is MINE
    assert is_calibrated("mine", measured=measured)


def test_vectors_of_another_length_are_another_measurement():
    """A model that shortens its vectors is measured at each length by itself."""
    assert calibration_for("mine", dim=512, measured={"mine": MINE}) is MINE
    assert calibration_for("mine", dim=256, measured={"mine": MINE}) is SAFE
    # One for the wrong length does not hide the built-in one for the right length.
    found = calibration_for(MINILM.model_id, dim=384, measured={MINILM.model_id: MINE})
    assert found == calibration_for(MINILM.model_id)
