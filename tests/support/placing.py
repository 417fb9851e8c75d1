"""The places of a model server of which nothing is known."""

from recollect.filters import Position
from recollect.proxy.chat.placing.places import ModelPlaces

PLACES = ModelPlaces("http://127.0.0.1:8080/v1", Position.AUTO)
