"""The proof: a command is harmless only if every word of it, and all around it, is accounted for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.effects import Deed, Proof, Touch
from lineclear.core.paths.locate import inside, locate
from lineclear.core.shell.faults import faults_of
from lineclear.core.shell.kinds import Kind
from lineclear.core.shell.program import Outcome, See
from lineclear.core.shell.programs import in_system_folder
from lineclear.core.shell.special import hands_on, reaches_processes, shown
from lineclear.core.shell.variables import identifier, secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lineclear.core.call import Environment
    from lineclear.core.effects import Command
    from lineclear.core.shell.pathwords import Folders
    from lineclear.core.shell.reading import Reading


def prove(
    reading: Reading, record: Command, environment: Environment, touches: Sequence[Touch], *, wraps: int, clear: bool
) -> tuple[Proof, bool, str]:
    """The proof of a command, whether allow rules look past it, and what stopped the proof.

    ``touches`` are its own, redirects too; ``wraps`` is how many commands or scripts it runs; ``clear`` whether all
    its redirects lead somewhere that is known.
    """
    level = reading.binding.level
    faults = faults_of(reading)
    if reading.outcome is Outcome.OTHER:
        return Proof.NONE, False, faults[0] if faults else f"{_named(reading)} isn't known to only read"
    if not clear:
        faults.append("a redirect leads somewhere that isn't known")
    faults += _surroundings(reading, record, environment)
    faults += [why for touch in touches if (why := unfit(touch)) is not None]
    if hands_on(reading) and reaches_processes(reading, touches):
        faults.append("it reads what processes and devices show, below its folders")
    if faults:
        return Proof.NONE, False, faults[0]
    past = level.see is not See.NOBODY and reading.outcome is Outcome.READ and wraps == 1
    if past and level.see is See.ALL:
        return Proof.WRAPPER, not (any(bound.spec.opaque for bound in reading.binding.bound) or fills_in(reading)), ""
    if past or _waits_for_a_command(reading, wraps):
        return Proof.NONE, past, f"{_named(reading)} isn't known to only read"
    own = [touch for touch in touches if not touch.redirect]
    if all(touch.deed is Deed.READ for touch in own):
        return Proof.READ_ONLY, False, ""
    if reading.outcome is Outcome.READ or reading.recursive or any(touch.recursive for touch in own):
        return Proof.NONE, False, f"{_named(reading)} writes"
    if any(touch.glob for touch in own):
        return Proof.NONE, False, "a path isn't literal"
    return Proof.EDIT, False, ""


def fills_in(reading: Reading) -> bool:
    """Whether a script is given words to fill in, so that its text alone doesn't say what runs."""
    return Kind.SHELL in reading.kinds and len(reading.binding.operands) > 1


def _named(reading: Reading) -> str:
    """The program as it was typed, with its subcommand; the option too, where it is what makes it do more."""
    binding = reading.binding
    name = " ".join([reading.command.words[0].shape, *binding.subcommand])
    specs = [bound.spec for bound in binding.bound]
    more = next((spec.name for spec in specs if spec.outcome is Outcome.OTHER), None)
    reads = binding.level.outcome is not Outcome.OTHER or any(spec.outcome is Outcome.READ for spec in specs)
    return f"option `{more}` of `{name}`" if more is not None and reads else f"`{name}`"


def _waits_for_a_command(reading: Reading, wraps: int) -> bool:
    """Whether a transparent wrapper was given nothing to run, and no option under which that only reads."""
    level = reading.binding.level
    if level.bare is Outcome.READ and not reading.binding.operands:
        return False
    return level.see is not See.NOBODY and (
        wraps > 0 or all(bound.spec.outcome is not Outcome.READ for bound in reading.binding.bound)
    )


def _surroundings(reading: Reading, record: Command, environment: Environment) -> list[str]:
    faults: list[str] = []
    if not in_system_folder(record.words[0].shape):
        faults.append(f"`{record.words[0].shape}` isn't in a system folder")
    level = reading.binding.level
    if record.assignments:
        own = level.ignores - set(reading.command.scope.tainted)
        name = next((name for name in record.assignments if name not in own), None)
        faults += [f"`{name}` is set, which may change what runs"] if name is not None else []
    if reading.command.names and (name := _shown_secret(reading.command.names)) is not None:
        faults.append(f"the value of `{name}` may be a secret")
    if level.trusted_repository and not _in_trusted_repository(environment, reading.folders):
        faults.append(f"it obeys the configuration of a repository that {_trust(environment)}")
    return faults


def unfit(touch: Touch) -> str | None:
    """Why touching a path speaks against a proof, None if it doesn't."""
    if touch.place is None:
        return f"which path `{touch.spelled}` is isn't known"
    if touch.place.adrift:
        return "the directory in which it runs isn't known"
    return shown(touch)


def _shown_secret(names: Iterable[str]) -> str | None:
    return next((name for name in sorted(names) if secret(name) or not (identifier(name) or name.isdigit())), None)


def _in_trusted_repository(environment: Environment, folders: Folders) -> bool:
    """Whether a program that obeys the repository's configuration finds the one that was vouched for.

    That is where the call starts, or a workspace root: any folder below may be made to look like a repository.
    """
    if not environment.repository_trusted:
        return False
    return all(
        folder is not None
        and _call_starts_in(folder, environment)
        and inside(locate(".", environment, folder), environment, writing=False)
        for folder in folders
    )


def _trust(environment: Environment) -> str:
    if environment.repository_trusted:
        return "may be another than the one where the call starts"
    return "nobody vouched for (`repository_trusted`)"


def _call_starts_in(folder: str, environment: Environment) -> bool:
    """Whether a folder is the one in which the call starts, or a workspace root, however it is spelled."""
    start = environment.cwd if environment.cwd is not None else "."
    if folder == start:
        return True
    starts = {locate(place, environment, start).lexical for place in (".", *(environment.roots or ()))}
    return folder in starts or locate(folder, environment, None).lexical in {start, *starts}
