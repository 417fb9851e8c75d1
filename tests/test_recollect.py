"""The installed package: its names, and what a start without set-up says."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import recollect
from recollect import memory

ROOT = Path(__file__).parents[1]


def test_it_is_the_library():
    """Every public name of the library, and nothing else, is there."""
    assert recollect.__all__ == memory.__all__
    for name in recollect.__all__:
        assert getattr(recollect, name) is getattr(memory, name)
    assert set(recollect.__all__) <= set(dir(recollect))
    assert "__version__" in dir(recollect)
    assert recollect.__version__[0].isdigit()
    with pytest.raises(AttributeError, match="Memories"):
        _ = recollect.Memories


@pytest.mark.process
def test_importing_it_loads_what_is_used():
    """Neither the engine nor a library: a program that names scopes and errors loads no more."""
    code = (
        "import sys; before = set(sys.modules); import recollect\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(new - set(sys.stdlib_module_names))\n"
        "from recollect import Message, RecollectError, Scope\n"
        "loaded = {name.split('.')[2] for name in sys.modules if name.startswith('recollect.m') "
        "and name.count('.') > 1}\n"
        "print(sorted(loaded), 'regex' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["{'recollect'}", "['model'] False"]


def start(checkout, *flags):
    """`python -m recollect serve` without any installed package."""
    return subprocess.run(
        [sys.executable, "-S", *flags, "-m", "recollect", "serve"],
        cwd=checkout,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.process
def test_a_checkout_without_set_up_says_the_command():
    """No stack trace: the missing package, and what installs it."""
    done = start(ROOT)
    assert done.returncode == 1
    assert "make setup" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.process
def test_a_checkout_whose_links_are_files_says_so(tmp_path):
    """Git writes a link's target into a file where it may not make links."""
    shutil.copytree(ROOT / "recollect", tmp_path / "recollect", symlinks=True)
    for link in (tmp_path / "recollect").iterdir():
        if link.is_symlink():
            target = str(link.readlink())
            link.unlink()
            link.write_text(target)
    done = start(tmp_path)
    assert done.returncode == 1
    assert "links" in done.stderr
    assert "Traceback" not in done.stderr
