"""Checkpoints in a file or a folder, by several processes, and read again."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from dataclasses import replace
from uuid import UUID

import pytest

from contracts.records import CHAIN
from lineclear.bootstrap.checkpoints import Checkpoints, append, read
from lineclear.bootstrap.problem import CannotStart
from lineclear.engine.chain import ChainKey, Head
from lineclear.wire.checkpoints import as_fields, as_line
from support.serving import environment

KEY = ChainKey(CHAIN)
HEADS = [Head(UUID(int=n), n, bytes([n] * 32)) for n in (1, 2)]
MADE = [KEY.checkpoint(head, 1_764_460_668_123_456 + head.sequence) for head in HEADS]


def test_they_are_read_as_they_were_written_from_a_file_and_a_folder(tmp_path):
    file, folder = tmp_path / "file", tmp_path / "folder"
    folder.mkdir()
    for place in (file, folder):
        append(place, MADE[:1])
        append(place, MADE[1:])
        assert list(read(place)) == MADE
    assert sorted(path.name for path in folder.iterdir()) == [f"{one.writer}.jsonl" for one in MADE]
    assert oct(file.stat().st_mode & 0o777) in {"0o640", "0o600"}


def test_a_log_s_lines_are_checkpoints_too(tmp_path):
    line = {"event": "audit_checkpoint", "level": "info", "timestamp": "2026-11-30T00:00:00Z", **as_fields(MADE[0])}
    (tmp_path / "log").write_text(json.dumps(line) + "\n")
    assert list(read(tmp_path / "log")) == MADE[:1]


HUGE = json.dumps(as_fields(MADE[0]) | {"sequence": 10**30})
"""A number that there is no hash over."""


@pytest.mark.parametrize("line", ["", "{}", "nonsense", '{"event": "decision"}', "[1]", HUGE])
def test_a_line_that_is_none_is_named(tmp_path, line):
    file = tmp_path / "file"
    append(file, MADE)
    with file.open("a") as out:
        out.write(line + "\n")
    with pytest.raises(CannotStart, match=r"file:3: .*it is no checkpoint"):
        list(read(file))


def test_a_chain_is_told_when_it_has_moved_and_again_when_it_could_not_be_written(tmp_path):
    heads, file = HEADS[:1], tmp_path / "checkpoints"
    checkpoints = Checkpoints(file, KEY, lambda: heads)
    assert file.read_text() == "", "it can be written, or the service doesn't start"
    checkpoints.tell()
    checkpoints.tell()
    assert [one.sequence for one in read(file)] == [1]
    heads[0] = replace(heads[0], sequence=5)
    file.unlink()
    file.mkdir(mode=0o500)
    (file / f"{heads[0].writer}.jsonl").mkdir()
    checkpoints.tell()
    (file / f"{heads[0].writer}.jsonl").rmdir()
    file.rmdir()
    checkpoints.tell()
    assert [one.sequence for one in read(file)] == [5]


@pytest.fixture
def short_of_room():
    """Lets no file grow beyond so many bytes, as a disk that fills up does: in the middle of a write."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda most: resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_could_be_written_only_in_part_is_not_written_at_all(tmp_path, short_of_room):
    file = tmp_path / "file"
    append(file, MADE[:1])
    size = file.stat().st_size
    short_of_room(size + 40)
    with pytest.raises(CannotStart, match="can't be written"):
        append(file, MADE[1:])
    assert file.stat().st_size == size
    short_of_room(resource.RLIM_INFINITY)
    append(file, MADE[1:])
    assert list(read(file)) == MADE


def test_half_a_line_of_somebody_who_was_cut_off_spoils_no_other(tmp_path):
    file = tmp_path / "file"
    append(file, MADE[:1])
    file.write_bytes(file.read_bytes()[:-9])
    append(file, MADE[1:])
    cut, whole = file.read_bytes().splitlines(keepends=True)
    assert not cut.rstrip().endswith(b"}")
    assert whole == as_line(MADE[1])


APPENDS = """
import sys
from pathlib import Path
from uuid import UUID
from lineclear.bootstrap.checkpoints import append
from lineclear.engine.chain import ChainKey, Head
key = ChainKey(b"k" * 32)
for n in range(1, 51):
    append(Path(sys.argv[1]), [key.checkpoint(Head(UUID(int=1), n, bytes(32)), 1)] * 9)
"""


def test_processes_that_share_a_file_spoil_no_line(tmp_path):
    file, there = tmp_path / "file", environment(tmp_path, {})
    running = [subprocess.Popen([sys.executable, "-c", APPENDS, str(file)], env=there) for _ in range(3)]
    assert [one.wait(30) for one in running] == [0, 0, 0]
    assert len(list(read(file))) == 3 * 50 * 9


def test_a_place_that_cannot_be_written_is_told_at_the_start(tmp_path):
    with pytest.raises(CannotStart, match="checkpoints can't be written"):
        Checkpoints(tmp_path / "nowhere" / "file", KEY, list)
