"""Judges candidates: suspicious ones are kept out of recall until a user validates them."""

from .judge import judge, judge_text

__all__ = ["judge", "judge_text"]
