"""Is the package that runs ours?"""

from recollect.proxy.commands.preflight import collisions


def test_this_environment_is_ours():
    """Nothing the lock files install brings a package of our name."""
    assert collisions() == []


def test_another_distribution_is_named():
    """The message names the package, who else has it, and what to do."""
    [line] = collisions({"recollect": ["recollect", "recollect-py", "recollect-py"]})
    assert "`recollect`" in line
    assert line.count("recollect-py") == 1
    assert "make setup" in line


def test_packages_of_other_names_are_no_concern():
    """A project's own `config` or `memory` is nothing to us."""
    assert collisions({"config": ["other"], "memory": ["other"], "proxy": ["a", "b"]}) == []
