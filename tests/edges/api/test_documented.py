"""What is served and what is refused stands in the documentation, and nothing else does."""

from __future__ import annotations

import re
from pathlib import Path

from lineclear.api.endpoints import ENDPOINTS
from lineclear.api.problems import STATUS, TITLE, ProblemCode
from lineclear.core.call import Role

DOCS = (Path(__file__).parents[3] / "docs" / "api.md").read_text()


def rows(pattern):
    return re.findall(pattern, DOCS, re.MULTILINE)


def test_every_problem_is_documented_with_its_status():
    documented = {code: int(status) for code, status in rows(r"^\| `(\w+)` \| (\d{3}) \|")}
    assert documented == {str(code): STATUS[code].value for code in ProblemCode}


def test_every_problem_has_a_title():
    assert set(TITLE) == set(ProblemCode)


def test_every_endpoint_is_documented_with_its_roles():
    documented = {
        (method, path): {role for role in Role if f"`{role}`" in roles}
        for method, path, roles in rows(r"^\| `([A-Z]+) (\S+?)` \| (.*?) \|")
    }
    assert documented == {(endpoint.method, endpoint.path): set(endpoint.roles or ()) for endpoint in ENDPOINTS}
