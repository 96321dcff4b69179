"""What holds of any rules and any command: order has no part in it, and a further denial never loosens."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lineclear.core.checks import Undecided, decide
from lineclear.core.verdict import Verdict
from support.rulings import permissions, policy, shell

WORDS = st.sampled_from(["git", "push", "commit", "-f", "--force", "npm", "run", "test", "rm", "-rf", "x", "*", "a*"])
PATTERNS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join).filter(lambda text: text[0].isalpha())
SIMPLE = st.lists(
    st.sampled_from(["git", "push", "commit", "-f", "--force", "npm", "run", "rm", "x", '"$X"', "$Y", "*.py"]),
    min_size=1,
    max_size=5,
).map(" ".join)
COMMANDS = st.lists(SIMPLE, min_size=1, max_size=3).map(" && ".join)
RULES = st.lists(PATTERNS, max_size=3, unique=True)


def verdict(loaded, command: str) -> int:
    decision = decide(loaded, shell(loaded, command))
    return Verdict.ASK.severity if isinstance(decision, Undecided) else decision.verdict.severity


def written(deny, ask, allow):
    named = [("deny", deny), ("ask", ask), ("allow", allow)]
    return {effect: [f"Bash({pattern})" for pattern in patterns] for effect, patterns in named}


@settings(max_examples=150, deadline=None)
@given(RULES, RULES, RULES, PATTERNS, COMMANDS)
def test_a_further_denial_or_question_never_loosens(deny, ask, allow, more, command) -> None:
    before = verdict(permissions(**written(deny, ask, allow)), command)
    assert verdict(permissions(**written(sorted({*deny, more}), ask, allow)), command) >= before
    assert verdict(permissions(**written(deny, sorted({*ask, more}), allow)), command) >= before


@settings(max_examples=100, deadline=None)
@given(RULES, RULES, RULES, COMMANDS)
def test_the_order_of_rules_has_no_part_in_it(deny, ask, allow, command) -> None:
    rules = written(deny, ask, allow)
    turned = {effect: patterns[::-1] for effect, patterns in reversed(rules.items())}
    one, other = permissions(**rules), permissions(**turned)
    assert one.version == other.version
    assert verdict(one, command) == verdict(other, command)


@settings(max_examples=150, deadline=None)
@given(RULES, COMMANDS, SIMPLE)
def test_a_further_part_never_loosens(allow, command, more) -> None:
    loaded = permissions(**written([], [], allow))
    assert verdict(loaded, f"{command} && {more}") >= verdict(loaded, command)


@settings(max_examples=150, deadline=None)
@given(PATTERNS, COMMANDS)
def test_what_an_allowance_covers_a_denial_of_the_same_pattern_denies(pattern, command) -> None:
    allowing, denying = permissions(allow=[f"Bash({pattern})"]), permissions(deny=[f"Bash({pattern})"])
    if allowing.rules.coverage(shell(allowing, command), suspended=False).commands:
        found = shell(denying, command)
        assert denying.rules.denials(found) or denying.rules.possible_denials(found)


@settings(max_examples=60, deadline=None)
@given(st.lists(PATTERNS, min_size=1, max_size=3, unique=True))
def test_both_spellings_mean_the_same(patterns) -> None:
    short = permissions(deny=[f"Bash({pattern})" for pattern in patterns])
    long = policy(rules=[{"id": "r", "effect": "deny", "command": patterns}])
    for command in ("git push -f x", "npm run test", "rm -rf x", "git commit"):
        assert bool(short.rules.denials(shell(short, command))) == bool(long.rules.denials(shell(long, command)))
