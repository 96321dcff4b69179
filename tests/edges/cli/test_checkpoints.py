"""Checkpoints in a file or a folder, by several processes, and read again."""

from __future__ import annotations

import json
from dataclasses import replace
from uuid import UUID

import pytest

from contracts.records import CHAIN
from lineclear.bootstrap.checkpoints import Checkpoints, append, read
from lineclear.bootstrap.problem import CannotStart
from lineclear.engine.chain import ChainKey, Head
from lineclear.wire.checkpoints import as_fields

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


def test_a_place_that_cannot_be_written_is_told_at_the_start(tmp_path):
    with pytest.raises(CannotStart, match="checkpoints can't be written"):
        Checkpoints(tmp_path / "nowhere" / "file", KEY, list)
