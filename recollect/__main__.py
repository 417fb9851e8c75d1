"""`python -m recollect` is the command `recollect`."""

import sys

LINKS = (
    "recollect: the links in recollect/ are broken: clone with symbolic links, or install the wheel"
)


def run() -> int | str:
    """The command's exit status, or what is missing and how to get it."""
    try:
        from .proxy.cli import main

        return main()
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing == "recollect.proxy":
            # Git without symbolic links leaves a file where the link should be.
            return LINKS
        if missing.startswith("recollect"):
            raise
        return (
            f"recollect: {missing} is not installed: run `make setup` and use .venv/bin/recollect"
        )


if __name__ == "__main__":
    sys.exit(run())
