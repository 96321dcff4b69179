"""The list of described programs in the documentation is the one that is shipped."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from support.documents import document

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "policies" / "builtin" / "programs").glob("*.yaml"))
LISTED = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")


def names(entries):
    """The names of some entries, with their aliases in brackets."""
    written = []
    for entry in entries:
        aliases = ", ".join(f"`{alias}`" for alias in entry.get("aliases", []))
        written.append(f"`{entry['name']}`" + (f" ({aliases})" if aliases else ""))
    return textwrap.fill(", ".join(written), 118, break_long_words=False, break_on_hyphens=False)


def section(file):
    """What the documentation has to say of one file."""
    entries = document(file)["programs"]
    proven = [entry for entry in entries if entry["examples"].get("read_only")]
    never = [entry for entry in entries if not entry["examples"].get("read_only")]
    blocks = [f"### `{file.name}`"]
    if proven:
        blocks.append(f"Proven in some of their forms:\n\n{names(proven)}")
    if never:
        blocks.append(f"Never proven:\n\n{names(never)}")
    return "\n\n".join(blocks) + "\n"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_file_is_listed_as_it_is(file):
    assert section(file) in LISTED


def test_nothing_is_listed_that_isn_t_shipped():
    assert LISTED.count("### `") == len(FILES)
