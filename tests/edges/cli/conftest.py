"""The program as a person runs it, in an empty folder of its own."""

from __future__ import annotations

import io
import sys

import pytest

from lineclear.cli import main


@pytest.fixture
def lineclear(monkeypatch, capsysbinary, tmp_path):
    """Runs the program: its exit status, what it printed, and what it said on standard error."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LINECLEAR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["lineclear", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsysbinary.readouterr()
        return ended.value.code or 0, out.decode(), err.decode()

    return run


@pytest.fixture
def organisation(tmp_path):
    """Makes a folder of policies with one organisation file of this text."""

    def make(text, name="policies"):
        folder = tmp_path / name
        (folder / "organisation").mkdir(parents=True, exist_ok=True)
        (folder / "organisation" / "a.yaml").write_text(text)
        return folder

    return make
