"""Requests made up from the contract are answered as the contract says."""

from __future__ import annotations

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from support.serving import ROOT

CONTRACT = schemathesis.openapi.from_dict(json.loads((ROOT / "docs" / "openapi.json").read_text()))
BEYOND = (
    "positive_data_acceptance",  # a schema takes 1.0 for an integer, and can't forbid a NUL
    "unsupported_method",  # tried in the tests of the endpoint table
    "ignored_auth",  # likewise, and it would call with the key that it shall leave out
)

PER_PATH = {"/v1/decisions/batch": ("negative_data_rejection",)}  # a malformed item is a problem in its place


@pytest.fixture(scope="module")
def role():
    """Whose key each path is called with."""
    return {"/v1/decisions": "host", "/v1/decisions/batch": "host", "/metrics": "operator"}


@CONTRACT.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_each_answer_is_in_the_contract(case, service, role):
    key = service.key(role.get(case.path, "operator"))
    case.call_and_validate(
        base_url=service.url,
        headers={"authorization": f"Bearer {key}"},
        excluded_checks=[schemathesis.checks.CHECKS.get_one(name) for name in (*BEYOND, *PER_PATH.get(case.path, ()))],
    )
