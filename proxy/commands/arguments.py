"""Command lines with a slip: the error shows the usage of the command and the nearest word."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    Actions = argparse._SubParsersAction["CommandLine"]  # noqa: SLF001 - argparse has no public name for it


class CommandLine(argparse.ArgumentParser):
    """An `ArgumentParser` whose commands report what they do not know themselves.

    What a command takes is found out when somebody looks at it (`filled_by`).
    """

    _fill: Callable[[], None] | None = None

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"formatter_class": argparse.RawDescriptionHelpFormatter} | more)

    def filled_by(self, fill: Callable[[], None]) -> None:
        """Let `fill` add the arguments once, before anybody reads them."""
        self._fill = fill

    def actions(self) -> Actions:
        """What the actions of the command are added to."""
        return self.add_subparsers(dest="action", required=True, metavar="ACTION")

    def leaves(self) -> Iterable[argparse.ArgumentParser]:
        """Those that are called: the actions, or the command itself if it has none."""
        found = [each for each in self._actions if isinstance(each, argparse._SubParsersAction)]  # noqa: SLF001 - argparse has no public name for it
        return list(found[0].choices.values()) if found else [self]

    @property
    def _actions(self) -> list[argparse.Action]:
        fill, self._fill = self._fill, None
        if fill is not None:
            fill()
        found: list[argparse.Action] = vars(self)["kept"]
        return found

    @_actions.setter
    def _actions(self, actions: list[argparse.Action]) -> None:
        vars(self)["kept"] = actions

    def parse_known_args(  # type: ignore[override]  # argparse has several signatures
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """As argparse does, but an unknown argument is an error of this command.

        argparse would report it with the usage of the whole program, which does not have it.
        """
        found, extra = super().parse_known_args(args, namespace)
        if extra:
            self._refuse(extra)
        return found, extra

    def _refuse(self, extra: Sequence[str]) -> NoReturn:
        flag = extra[0].partition("=")[0]
        hint = _nearest(flag, self._option_string_actions) if flag.startswith("-") else ""
        self.error(f"unrecognized arguments: {' '.join(extra)}{hint}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += _nearest(str(value), map(str, action.choices or ()))
            raise


def _nearest(word: str, known: Iterable[str]) -> str:
    from recollect.memory.model.suggestions import nearest  # only for a slip

    found = nearest(word, list(known))
    return f"; did you mean {found}?" if found else ""


def spelled_out(arguments: Sequence[str]) -> list[str]:
    """`help` and `help COMMAND` as the flag that argparse knows."""
    return [*arguments[1:], "--help"] if arguments[:1] == ["help"] else list(arguments)
