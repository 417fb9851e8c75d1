"""A place for the tests of a process, and the door that a scenario is told at."""

import pytest

from tests.surfaces.place import a_place


@pytest.fixture(scope="session")
def shared_place():
    with a_place() as place:
        yield place


@pytest.fixture
def place(shared_place):
    """The product; its model finds no facts until a test says what it answers."""
    shared_place.says()
    return shared_place


@pytest.fixture
def surface(request, place):
    """The parameter's, for a tenant that nobody has had."""
    return request.param(place, place.tenant())
