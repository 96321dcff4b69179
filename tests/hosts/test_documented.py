"""The page of each host says of it what its entry says."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineclear.hosts.registry import HOSTS
from lineclear.hosts.setup.plans import files, scopes

PAGES = Path(__file__).parents[2] / "docs" / "hosts"


@pytest.fixture(params=HOSTS)
def abilities(request):
    return HOSTS[request.param].abilities


def test_the_table_is_the_entries(abilities):
    row = next(line for line in (PAGES / "README.md").read_text().splitlines() if f"| `{abilities.name}` |" in line)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    checked = abilities.checked
    assert cells == [
        f"[{abilities.title}]({abilities.name}.md)",
        f"`{abilities.name}`",
        "yes" if abilities.can_ask else "no",
        abilities.allow_means,
        abilities.on_failure,
        f"`{abilities.block_setting}`" if abilities.block_setting else "none",
        f"{abilities.deadline_s:g} s",
        "yes" if abilities.unique_ids else "no",
        f"{checked.version}, {checked.date}, {checked.basis}",
    ]


def test_the_page_says_how_to_switch_it_on_and_what_happens_on_failure(abilities):
    page = (PAGES / f"{abilities.name}.md").read_text()
    for part in (
        f"lineclear install {abilities.name}",
        f"lineclear doctor {abilities.name}",
        "**When the hook fails**",
    ):
        assert part in page
    assert "**What it can't do:**" in page


def test_the_page_names_the_file_of_the_usual_scope(abilities):
    page = (PAGES / f"{abilities.name}.md").read_text()
    (_, file), *_ = files(abilities.name, abilities.gate)
    assert scopes(abilities.name)
    assert file.removeprefix("./").removesuffix(f"/{abilities.gate}") in page
