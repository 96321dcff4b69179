"""The order of the checks in the documentation is the order in the code."""

from __future__ import annotations

import re

from lineclear.core.checks import ALLOWANCES, DENIALS, QUESTIONS, REMAINDER
from lineclear.core.classified import MODEL
from lineclear.core.reasons import MEANING, Code
from support.judging import ROOT

DOC = (ROOT / "docs" / "how-a-call-is-decided.md").read_text()


def test_the_documented_order_is_the_coded_order():
    documented = re.findall(r"^\| (\d+a?) \| (.+?) \| `", DOC, re.MULTILINE)
    coded = [(check.number, check.title) for check in (*DENIALS, *QUESTIONS, *ALLOWANCES, *REMAINDER)]
    coded += MODEL
    assert documented == coded


def test_every_reason_code_is_documented_with_its_meaning():
    documented = dict(re.findall(r"^\| `([a-z_]+)` \| (.+?) \|$", DOC, re.MULTILINE))
    assert documented == {code.value: MEANING[code] for code in Code}
