"""What conditions see, and what they make of a call: only true is true, and what fails speaks against the call."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec import structs

from lineclear.core.breaker import Breaker
from lineclear.core.call import Agent, Principal
from lineclear.core.conditions.condition import Condition
from lineclear.core.observe import observe
from lineclear.core.own import Own
from lineclear.core.standing import Standing
from support.rulings import TODAY, call, facts, policy, shell


def seen(condition, observed, data=None):
    return Condition.of(condition, data or {}).answer(observed, "pg")


TRUE = [
    "call.tool == 'Bash'",
    "call.kind == 'shell'",
    "call.source == 'builtin'",
    "call.input.command.startsWith('git push')",
    "call['input']['command'].endsWith('log')",
    "call.commands[0].program == 'git'",
    "call.commands.exists(c, c.program == 'git' && 'push' in c.words && !c.read_only)",
    "call.commands.exists_one(c, c.program == 'tee')",
    "call.commands.filter(c, c.read_only).size() == 0",
    "call.commands.map(c, c.program) == ['git', 'tee']",
    "call.paths.exists(p, p.path == '/work/repo/log' && p.access == 'write' && p.inside_workspace)",
    "call.input.command.matches('^git +push') && !call.input.command.matches(r'\\bpull\\b')",
    "principal.id == 'test' && principal.groups == []",
    "agent.host == 'claude-code' && agent.type == 'main' && agent.main && !agent.async",
    "session.id == 's' && session.mode == 'default' && session.total == 0",
    "session.age == duration('0s')",
    "environment.cwd == '/work/repo' && environment.repository_trusted && environment.shell == 'bash'",
    "'/work/repo' in environment.workspace_roots && environment.platform == 'linux'",
    "now == timestamp('2026-11-29T00:00:00Z')",
    "!has(context.ticket)",
    "type(call.input) == map",
    "true || call.input.missing == 'x'",
]


@pytest.mark.parametrize("condition", TRUE)
def test_what_it_sees(condition):
    assert seen(condition, shell(policy(), "git push origin main | tee log")) is True


FAILS = {
    "a missing key": "call.input.missing == 'x'",
    "a missing key, deep": "call.input.missing.deep == 'x'",
    "a context that wasn't sent": "context.ticket == ''",
    "a text": "call.tool",
    "a number": "1",
    "null": "call.server == 'x' ? null : null",
    "kinds that can't be compared": "call.tool < 1",
    "a division by zero": "1 / 0 == 1",
    "an index that there isn't": "call.commands[9].program == 'x'",
    "an overflow": "9223372036854775807 * 2 == 0",
    "data that nobody wrote": "data.regions == []",
}


@pytest.mark.parametrize("condition", FAILS.values(), ids=FAILS)
def test_what_fails_matches_what_tightens_and_not_what_loosens(condition):
    observed = shell(policy(), "ls")
    assert seen(condition, observed) is None
    assert Condition.of(condition, {}).holds(observed, strict=False)
    assert not Condition.of(condition, {}).holds(observed, strict=True)


UNKNOWN = {
    "a program": ("$X push", "call.commands.exists(c, c.program == 'git')"),
    "a word": ('git push "$X"', "call.commands.exists(c, '--force' in c.words)"),
    "a word that becomes file names": ("git add *", "call.commands.exists(c, '--force' in c.words)"),
    "a path": ('rm "$X"', "call.paths.exists(p, p.path == '/work/repo/a')"),
    "a text that can't be parsed": ("git push (", "call.commands.exists(c, c.program == 'git')"),
    "a text that can't be parsed, its hosts": ("curl (", "'x.y' in call.hosts"),
}


@pytest.mark.parametrize(("command", "condition"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_cant_be_told_isnt_made_up(command, condition):
    assert seen(condition, shell(policy(), command)) is None


def test_what_isnt_read_doesnt_matter():
    assert seen("call.commands.exists(c, c.program == 'git')", shell(policy(), 'git push "$X"')) is True
    assert seen("call.tool == 'Bash'", shell(policy(), "git push (")) is True


def test_a_word_is_what_the_shell_makes_of_it():
    observed = shell(policy(), "g'i't pu\\sh --fo''rce")
    assert seen("call.commands.exists(c, c.program == 'git' && '--force' in c.words)", observed) is True


def test_hosts_are_names():
    assert seen("'example.com' in call.hosts", shell(policy(), "curl HTTPS://user@EXAMPLE.com.:443/x")) is True


def test_both_views_of_a_path_are_seen():
    observed = shell(policy(), "cat docs/link", real_paths={"docs/link": "/etc/passwd"})
    assert seen("call.paths.exists(p, p.path == '/etc/passwd')", observed) is True
    assert seen("call.paths.all(p, p.inside_workspace)", observed) is False


def test_session_and_moment():
    standing = Standing(Breaker(consecutive=2, total=7))
    now = datetime(2026, 11, 29, 22, 30, tzinfo=UTC)
    observed = structs.replace(shell(policy(), "ls"), standing=standing, now=now, age=timedelta(hours=2))
    assert seen("session.consecutive == 2 && session.total == 7", observed) is True
    assert seen("session.age > duration('1h') && now.getHours() >= 22", observed) is True


def test_the_callers_own_words():
    stated = call("Bash", {"command": "ls"}, agent=Agent(host="codex", type="tester", is_async=True))
    stated = structs.replace(stated, principal=Principal("ci", frozenset({"dba", "ops"})), context={"ticket": "T-1"})
    observed = observe(stated, policy(), Own(), TODAY)
    assert seen("'dba' in principal.groups && principal.id == 'ci' && !agent.main && agent.async", observed) is True
    assert seen("context.ticket.startsWith('T-')", observed) is True


def test_data_is_the_organisations():
    observed = facts(policy(), "mcp__pg__query", {"region": "eu-1"})
    assert seen("call.input.region in data.regions", observed, {"regions": ["eu-1"]}) is True
    assert seen("call.input.region in data.regions", observed, {"regions": []}) is False


class TestServersThatCantBeToldApart:
    """``mcp__a__b__c`` is `c` of `a__b`, or `b__c` of `a`."""

    observed = facts(policy(), "mcp__a__b__c", {})
    condition = Condition.of("call.server == 'a__b'", {})

    def test_any_reading_denies(self):
        assert self.condition.holds(self.observed, strict=False)

    def test_every_reading_must_allow(self):
        assert not self.condition.holds(self.observed, strict=True)
