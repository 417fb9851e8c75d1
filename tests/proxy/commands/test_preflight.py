"""Is the environment ours?"""

from proxy.commands.preflight import OURS, collisions


def test_this_environment_is_ours():
    """Nothing the lock files install brings a package of our names."""
    assert collisions() == []


def test_another_distribution_is_named():
    """The message names the package, who else has it, and what to do."""
    [line] = collisions({"proxy": ["recollect", "proxy.py", "proxy.py"], "config": ["recollect"]})
    assert "`proxy`" in line
    assert "proxy.py" in line
    assert "make setup" in line


def test_every_package_of_ours_is_looked_at():
    """One line for each, whether or not ours is installed."""
    found = collisions({name: ["other"] for name in OURS} | {"unrelated": ["a", "b"]})
    assert len(found) == len(OURS)
