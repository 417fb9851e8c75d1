"""The judge that keeps poisoned candidates out of recall until somebody validates them."""

from .judge import judge, judge_text
from .values import Kind, Reason, Suspicion

__all__ = ["Kind", "Reason", "Suspicion", "judge", "judge_text"]
