"""The judge that keeps poisoned candidates out of recall until somebody validates them."""

from .judge import judge, judge_text

__all__ = ["judge", "judge_text"]
