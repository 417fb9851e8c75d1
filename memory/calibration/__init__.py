"""The meaning of a cosine for each embedder: thresholds, their file, and their derivation."""

from .derivation import Cosines, Measured, derive
from .files import load_calibrations, save_calibration
from .labels import RECALL, Label, Pair, check_counts, parse_pairs
from .report import render_report
from .values import SAFE, Calibration, calibration_for, is_calibrated
from .weights import ANSWERS, BUILT_IN, OF_TELLING, AnswerWeights

__all__ = [
    "ANSWERS",
    "BUILT_IN",
    "OF_TELLING",
    "RECALL",
    "SAFE",
    "AnswerWeights",
    "Calibration",
    "Cosines",
    "Label",
    "Measured",
    "Pair",
    "calibration_for",
    "check_counts",
    "derive",
    "is_calibrated",
    "load_calibrations",
    "parse_pairs",
    "render_report",
    "save_calibration",
]
