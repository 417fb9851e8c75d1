"""Judges candidates: suspicious ones are kept out of recall until a user validates them."""

from .judgement import judge, judge_text

__all__ = ["judge", "judge_text"]
