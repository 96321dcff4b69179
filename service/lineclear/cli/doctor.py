"""``lineclear doctor``: what an agent's hook does, by trying it: a denial, a pass, and the service being down.

What it can't try it reads: whether the program's settings run the hook at all, and block where it breaks.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from lineclear import resources
from lineclear.cli.configured import place
from lineclear.cli.failure import FOUND, Failure
from lineclear.cli.program import numbers, version
from lineclear.cli.quoted import line
from lineclear.hosts.abilities import OnFailure
from lineclear.hosts.registry import HOSTS
from lineclear.hosts.setup import canaries
from lineclear.hosts.setup.canaries import Outcome, canary, outcome
from lineclear.hosts.setup.found import Hook, hook, switched_off
from lineclear.hosts.setup.plans import files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.hosts.abilities import Abilities

_SESSION = "lineclear-doctor"
_PATIENCE_S = 40
_WRONG = "  <- NOT AS IT SHOULD BE"
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
        raise Failure(f"there is no host `{host}`; there are {', '.join(HOSTS)}")
    abilities = HOSTS[host].abilities
    places = [(scope, place(file, Path.home(), Path.cwd())) for scope, file in files(host, abilities.gate)]
    found = {file: one for _, file in places if (one := _read(file, abilities)) is not None}
    for scope, file in places:
        print(f"{scope:<8} {file}: {'our hook' if file in found else 'no hook of ours'}")
    if not found:
        print(f"{abilities.title} isn't set up; run `lineclear install {host}`", file=sys.stderr)
        raise typer.Exit(FOUND)
    installed = None if abilities.program is None else version(abilities.program)
    well = [all(list(_tried(abilities, file, one, installed))) for file, one in found.items()]
    well += [_switched_on(abilities, file) for _, file in places]
    checked = f"checked against {abilities.title} {abilities.checked.version}, {abilities.checked.date}"
    print(checked + (f"; here is {installed}" if installed else ""))
    if not all(well):
        raise typer.Exit(FOUND)


def _tried(abilities: Abilities, file: Path, one: Hook, installed: str | None) -> Iterator[bool]:
    """Each trial, told as it ends: whether it came out well."""
    if stranger := _brought_along(one, file, Path.cwd()):
        print(f"not tried: the hook of {file} starts `{stranger}`, which came with this folder{_WRONG}")
        yield False
        return
    print(f"trying the hook of {file}, which asks {one.url or _reach(one)}")
    denied, told = _answer(one, abilities, canaries.DENIED)
    yield _told("a call that must be denied", denied, told, denied is Outcome.DENIED)
    passed, told = _answer(one, abilities, canaries.PASSED)
    yield _told("a call that may pass", passed, told, passed is Outcome.ON)
    if one.url is None:
        down, told = _answer(_astray(one), abilities, canaries.PASSED)
        yield _told("the service down", down, told, one.fails_open or down is not Outcome.ON)
    broken, well = _broken(abilities, one, installed)
    print(f"  a hook that breaks: {broken}" + ("" if well else _WRONG))
    yield well


def _told(trial: str, found: Outcome | None, told: str, well: bool) -> bool:
    said = "no answer" if found is None else found.value
    print(f"  {trial}: {said}" + ("" if well else f"{_WRONG}: {line(told)[:300]}"))
    return well


def _broken(abilities: Abilities, one: Hook, installed: str | None) -> tuple[str, bool]:
    """What happens where the hook itself can't start or doesn't end, and whether that is as well as can be."""
    setting, since = abilities.block_setting, abilities.blocks_since
    if abilities.on_failure is OnFailure.CLOSED:
        return "the call is blocked", True
    if setting is None:
        return f"the call goes ahead; {abilities.title} has no setting that blocks", True
    if one.fails_open:
        return "the call goes ahead, as was chosen", True
    if one.settings.get(setting) not in {"block", True}:
        return f"the call goes ahead, since the entry has no `{setting}` that blocks", False
    if installed is not None and since and numbers(installed) < since:
        newer = ".".join(map(str, since))
        return f"the call goes ahead, since {abilities.title} {installed} is older than {newer}", False
    return f"the call is blocked, by `{setting}`", True


def _switched_on(abilities: Abilities, file: Path) -> bool:
    """Whether a file of settings leaves hooks switched on; told only where it doesn't."""
    try:
        off = abilities.switch is not None and switched_off(file.read_text("utf-8"), abilities.switch)
    except (OSError, UnicodeDecodeError):
        return True
    if off and abilities.switch is not None:
        print(f"{file}: `{'.'.join(abilities.switch[0])}` switches all hooks off{_WRONG}")
    return not off


def _reach(one: Hook) -> str:
    """The address in a hook's words."""
    return next((one.words[one.words.index(name) + 1] for name in _NOWHERE if name in one.words[:-1]), "nobody")


def _answer(one: Hook, abilities: Abilities, command: str) -> tuple[Outcome | None, str]:
    """What the hook's answer comes to, and what it said."""
    payload = json.dumps(canary(abilities.name, command, str(Path.cwd()), _SESSION))
    if one.url is not None:
        return _posted(one.url, payload)
    try:
        run = subprocess.run(  # noqa: S603 - what the configuration of this very user says
            one.words, input=payload, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    return outcome(run.returncode, run.stdout, run.stderr), run.stderr or run.stdout


def _posted(url: str, payload: str) -> tuple[Outcome | None, str]:
    """Straight to this machine: no proxy that the environment names is to see the key, and nobody sends it on."""
    key, parts = os.environ.get("LINECLEAR_KEY", ""), urlsplit(url)
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    connection = http.client.HTTPConnection(parts.netloc, timeout=_PATIENCE_S)
    try:
        connection.request("POST", f"{parts.path}?{parts.query}", payload.encode(), headers)
        response = connection.getresponse()
        said = response.read().decode(errors="replace")
    except (OSError, ValueError, http.client.HTTPException) as error:
        return None, str(error) or type(error).__name__
    finally:
        connection.close()
    return (outcome(0, said, ""), said) if response.status == http.HTTPStatus.OK else (None, said)


def _brought_along(one: Hook, file: Path, project: Path) -> str | None:
    """What a project's own configuration would start out of the project, other than this very installation."""
    if not one.words or project == Path.home() or not file.is_relative_to(project):
        return None
    ours = {sys.executable, str(resources.shim())}
    started = (word for word in (one.words[0], one.words[3]) if "/" in word and word not in ours)
    return next((word for word in started if (project / word).resolve().is_relative_to(project.resolve())), None)


def _astray(one: Hook) -> Hook:
    """The same hook, looking for the service where nobody listens."""
    words = list(one.words)
    for name, nowhere in _NOWHERE.items():
        if name in words[:-1]:
            words[words.index(name) + 1] = nowhere
    return replace(one, words=tuple(words))


def _read(file: Path, abilities: Abilities) -> Hook | None:
    try:
        return hook(file.read_text("utf-8"), abilities.gate) or hook(file.read_text("utf-8"), "PreToolUse")
    except (OSError, UnicodeDecodeError):
        return None
