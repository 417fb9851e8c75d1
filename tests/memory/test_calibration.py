import pytest

from memory.calibration import SAFE, calibration_for, is_calibrated
from memory.embedders.local.weights import MODEL_ID


@pytest.mark.parametrize("embedder_id", [MODEL_ID])
def test_measured_embedders(embedder_id):
    """Our own embedder is measured, and its zones stand in order."""
    zones = calibration_for(embedder_id)
    assert is_calibrated(embedder_id)
    assert 0 < zones.recall < zones.update < zones.same < 1


def test_unmeasured_embedders():
    """For any other nothing can be updated by similarity: no cosine reaches the thresholds."""
    assert not is_calibrated("somebody-elses")
    assert calibration_for("somebody-elses") is SAFE
    assert min(SAFE.update, SAFE.same) > 1
