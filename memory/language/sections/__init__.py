"""The sections of a pack, one module each: what it holds and what it means."""

from .calendar import Calendar
from .changes import ChangeCues
from .forget import ForgetCues
from .people import People
from .person import Person
from .planting import Planting
from .requests import Requests
from .secrets import Secrets
from .turns import TurnCues
from .words import FrequentWords

__all__ = [
    "Calendar",
    "ChangeCues",
    "ForgetCues",
    "FrequentWords",
    "People",
    "Person",
    "Planting",
    "Requests",
    "Secrets",
    "TurnCues",
]
