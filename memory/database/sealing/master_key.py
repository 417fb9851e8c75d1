"""The master key, which wraps the key of each user. It is never written anywhere."""

from __future__ import annotations

import base64
import binascii
import hmac
import os
import re
import shlex
import stat
import subprocess
from pathlib import Path

from ...model.errors import EncryptionError
from .user_key import KEY_BYTES, cipher

_FILE, _COMMAND = "file:", "command:"
_SECONDS = 30.0
"""A cloud's command line takes some seconds, ten times as many on a machine that is throttled."""
_MOST_BYTES = 4096
_NONCE_BYTES = 12
_OTHER = {stat.S_IFIFO: "a named pipe", stat.S_IFDIR: "a folder"}
_HEX = re.compile(r"[0-9a-fA-F]{64}")
EXPECTED = (
    "expected 32 bytes in base64 (`openssl rand -base64 32`) or hex, or file:PATH or "
    "command:PROGRAM that gives them"
)


class MasterKey:
    """Wraps and unwraps users' keys."""

    def __init__(self, key: bytes) -> None:
        self._cipher = cipher(key)
        self.check = hmac.digest(key, b"recollect: which master key", "sha256").hex()[:32]
        """Tells this master key from others, and nothing else of it."""

    def wrapped(self, key: bytes, about: str) -> str:
        """A key as it is kept; `about` is whose it is."""
        nonce = os.urandom(_NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, key, about.encode())
        return base64.b64encode(nonce + sealed).decode()

    def unwrapped(self, kept: str, about: str) -> bytes:
        """The key that was wrapped. Raises EncryptionError: with another master key, or changed."""
        try:
            sealed = base64.b64decode(kept, validate=True)
            key: bytes = self._cipher.decrypt(
                sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], about.encode()
            )
        except Exception as error:
            raise EncryptionError("the key of a user was changed, or is of another one") from error
        return key


def master_key(said: str) -> MasterKey:
    """The master key that `database.master_key` says.

    Raises EncryptionError: it cannot be read, or is no key. No message repeats it.
    """
    if said.startswith(_FILE):
        name = said.removeprefix(_FILE)
        return MasterKey(_key_in(_of_file(name), name))
    if said.startswith(_COMMAND) and said.strip() != _COMMAND:
        printed = _of_command(said.removeprefix(_COMMAND))
        return MasterKey(_key_in(printed, "what the command printed"))
    return MasterKey(_key_in(said, "what is set"))


def _of_file(name: str) -> str:
    try:
        path = Path(name).expanduser()
        kind = stat.S_IFMT(path.stat().st_mode)
        if kind == stat.S_IFREG:
            with path.open("rb") as file:
                return file.read(_MOST_BYTES).decode("ascii", "replace")
        # A pipe would wait for ever, and a device may never end.
        told = f"expected a file, {name} is {_OTHER.get(kind, 'a device or a socket')}"
    except (OSError, ValueError, RuntimeError) as error:
        told = f"cannot read {name}: {getattr(error, 'strerror', error)}"
    raise EncryptionError(f"database.master_key: {told}")


def _of_command(line: str) -> str:
    try:
        command = shlex.split(line)
        ran = subprocess.run(  # noqa: S603 - the operator's own command, without a shell
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=_SECONDS, check=False
        )
        if not ran.returncode:
            return ran.stdout[:_MOST_BYTES].decode("ascii", "replace")
        told = f"the command {command[0]} ended with {ran.returncode}"
    except subprocess.TimeoutExpired:
        told = f"the command {command[0]} gave no key in {_SECONDS:g} s"
    except (OSError, ValueError) as error:
        told = f"cannot run the command: {getattr(error, 'strerror', error)}"
    raise EncryptionError(f"database.master_key: {told}")


def _key_in(text: str, where: str) -> bytes:
    text = text.strip()
    try:
        key = bytes.fromhex(text) if _HEX.fullmatch(text) else base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        told = "no key" if text else "empty"
        raise EncryptionError(f"database.master_key: {where} is {told}: {EXPECTED}")
    return key
