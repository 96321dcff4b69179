"""Whatever stands in a file, it becomes a policy or a list of problems, never another exception."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from lineclear.policyfiles.compiling import SECTIONS
from lineclear.policyfiles.long import KEYS
from lineclear.policyfiles.problems import PolicyError
from support.rulings import policy

WORDS = st.sampled_from(
    [
        *("", "*", "Bash", "Bash(", "Bash(git *)", "Read(//**)", "mcp__", "mcp__a__b__c", "x:y", "a/b", "deny", "any"),
        *("builtin.env", "/x", "~/x", "[x]", "domain:", "WebFetch(domain:*)", "15m", "auto", "terraform", "::1", "'"),
    ]
)
SCALARS = st.none() | st.booleans() | st.integers(-2, 9) | st.floats(allow_nan=False) | WORDS
NAMES = st.sampled_from(
    [
        *KEYS,
        *(
            "match",
            "no_match",
            "source",
            "server",
            "tool",
            "kind",
            "exceptions",
            "extra",
            "overrides",
            "name",
            "allowed",
        ),
        *("default", "types", "coordinators", "deny_all", "subcommands", "flags", "options", "operands", "examples"),
    ]
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=10,
)
EFFECTS = st.sampled_from(["allow", "ask", "deny"])
RULE = st.fixed_dictionaries(
    {"id": st.just("r"), "effect": EFFECTS},
    optional={key: ANYTHING for key in KEYS if key not in {"id", "effect"}},
)


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(SECTIONS), ANYTHING, min_size=1, max_size=2))
def test_any_section(sections) -> None:
    with suppress(PolicyError):
        policy(**sections)


@settings(max_examples=400, deadline=None)
@given(RULE)
def test_any_rule(rule) -> None:
    with suppress(PolicyError):
        policy(rules=[rule])


@settings(max_examples=200, deadline=None)
@given(EFFECTS, st.text(max_size=30) | st.builds("Bash({})".format, st.text(max_size=20)))
def test_any_short_rule(effect, text) -> None:
    with suppress(PolicyError):
        policy(permissions={effect: [text]})
