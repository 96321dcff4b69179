"""Logs: a JSON line an event, and nothing in it that a caller wrote."""

from __future__ import annotations

import json
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
import structlog

from lineclear.telemetry import failures
from lineclear.telemetry.logs import configure


@pytest.fixture
def lines(capfdbinary):
    """What was logged since, as mappings."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    structlog.reset_defaults()

    def read():
        return [json.loads(line) for line in capfdbinary.readouterr().err.splitlines()]

    yield read
    root.handlers[:], root.level = before[0], before[1]
    structlog.reset_defaults()


def failing():
    password = "hunter2"
    try:
        raise KeyError(password)  # noqa: TRY301 - a cause is wanted
    except KeyError as error:
        raise ValueError(f"bad {password}") from error


def test_an_event_is_one_json_line(lines):
    configure("info")
    structlog.get_logger("a").info("decision", code="safe_tool", note='"\n\x1b[31m')
    (line,) = lines()
    assert line["event"] == "decision"
    assert line["level"] == "info"
    assert line["note"] == '"\n\x1b[31m'
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize(("level", "seen"), [("debug", 2), ("info", 1), ("error", 0)])
def test_the_level_holds(lines, level, seen):
    configure(level)
    logger = structlog.get_logger("a")
    logger.debug("x")
    logger.info("y")
    assert len(lines()) == seen


def full():
    return Path("/dev/full").open("wb")


def unread():
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "wb")


def closed():
    file = unread()
    file.close()
    return file


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
@pytest.mark.parametrize("opened", [full, unread, closed])
def test_a_log_that_can_not_be_written_stops_nobody(lines, monkeypatch, opened):
    file = opened()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", SimpleNamespace(buffer=file))
        configure("info")
        for number in range(2000):
            structlog.get_logger("a").info("decision", number=number)
    with suppress(OSError):
        file.close()
    assert lines() == []


def test_a_failure_is_told_by_type_and_place_and_not_in_its_own_words():
    with pytest.raises(ValueError) as caught:
        failing()
    told = failures.described(caught.value)
    assert told["error"] == "ValueError"
    assert told["causes"] == ["KeyError"]
    assert told["frames"][-1].startswith("edges/telemetry/test_logs.py:")
    assert "hunter2" not in str(told)


def test_a_library_s_traceback_is_cut_to_that_too(lines):
    configure("info")
    try:
        failing()
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
    (line,) = lines()
    assert line["error"] == "ValueError"
    assert line["logger"] == "uvicorn.error"
    assert "hunter2" not in json.dumps(line)
