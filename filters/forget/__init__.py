"""Forgetting by saying so, as a step of a request."""

from .filter import ForgetAsked
from .notice import notice_of

__all__ = ["ForgetAsked", "notice_of"]
