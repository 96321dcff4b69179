"""``lineclear doctor``: what an agent's hook does, by trying it: a denial, a pass, and the service being down."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lineclear.cli.configured import place
from lineclear.cli.failure import Failure
from lineclear.hosts.registry import HOSTS
from lineclear.hosts.setup import canaries
from lineclear.hosts.setup.canaries import Outcome, canary, outcome
from lineclear.hosts.setup.found import Hook, hook
from lineclear.hosts.setup.plans import files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.hosts.abilities import Abilities

_SESSION = "lineclear-doctor"
_PATIENCE_S = 40
_NOWHERE = {"--socket": "/nonexistent/lineclear.sock", "--url": "http://127.0.0.1:9"}
"""Where nobody listens: the discard port, and a folder that isn't there."""


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.command()(doctor)


def doctor(
    host: Annotated[str, typer.Argument(help="The agent's program, as `lineclear install` names it.")],
) -> None:
    """Try an agent's hook as its configuration starts it; the exit status is 1 if anything isn't as it should be."""
    if host not in HOSTS:
        raise Failure(f"there is no host `{host}`; there are {', '.join(HOSTS)}", 2)
    abilities = HOSTS[host].abilities
    places = [(scope, place(file, Path.home(), Path.cwd())) for scope, file in files(host, abilities.gate)]
    found = {file: one for _, file in places if (one := _read(file, abilities)) is not None}
    for scope, file in places:
        print(f"{scope:<8} {file}: {'our hook' if file in found else 'no hook of ours'}")
    if not found:
        raise Failure(f"{abilities.title} isn't set up; run `lineclear install {host}`")
    well = [all(list(_tried(abilities, file, one))) for file, one in found.items()]
    print(f"checked against {abilities.title} {abilities.checked.version}, {abilities.checked.date}")
    if not all(well):
        raise typer.Exit(1)


def _tried(abilities: Abilities, file: Path, one: Hook) -> Iterator[bool]:
    """Each trial, told as it ends: whether it came out well."""
    print(f"trying the hook of {file}")
    denied = _answer(one, abilities, canaries.DENIED)
    yield _told("a call that must be denied", denied, denied is Outcome.DENIED)
    passed = _answer(one, abilities, canaries.PASSED)
    yield _told("a call that may pass", passed, passed is Outcome.ON)
    if one.url is not None:
        print(f"  the service down: the call is blocked only by `{abilities.block_setting}` beside the address")
        return
    down = _answer(_astray(one), abilities, canaries.PASSED)
    chosen = "open" in one.words[-1:]
    yield _told("the service down", down, chosen or down is not Outcome.ON)


def _told(trial: str, found: Outcome | None, well: bool) -> bool:
    said = "no answer" if found is None else found.value
    print(f"  {trial}: {said}" + ("" if well else "  <- NOT AS IT SHOULD BE"))
    return well


def _answer(one: Hook, abilities: Abilities, command: str) -> Outcome | None:
    payload = json.dumps(canary(abilities.name, command, str(Path.cwd()), _SESSION))
    if one.url is not None:
        return _posted(one.url, payload)
    try:
        run = subprocess.run(  # noqa: S603 - what the configuration of this very user says
            one.words, input=payload, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return outcome(run.returncode, run.stdout, run.stderr)


def _posted(url: str, payload: str) -> Outcome | None:
    key = os.environ.get("LINECLEAR_KEY", "")
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    request = urllib.request.Request(url, payload.encode(), headers)  # noqa: S310 - install wrote it
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE_S) as response:  # noqa: S310
            return outcome(0, response.read().decode(), "")
    except (urllib.error.URLError, TimeoutError):
        return None


def _astray(one: Hook) -> Hook:
    """The same hook, looking for the service where nobody listens."""
    words = list(one.words)
    for name, nowhere in _NOWHERE.items():
        if name in words:
            words[words.index(name) + 1] = nowhere
    return Hook(tuple(words))


def _read(file: Path, abilities: Abilities) -> Hook | None:
    try:
        return hook(file.read_text("utf-8"), abilities.gate) or hook(file.read_text("utf-8"), "PreToolUse")
    except (OSError, UnicodeDecodeError):
        return None
