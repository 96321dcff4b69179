"""``lineclear policy``: the security team's own tools, a module each; none needs a service."""

from __future__ import annotations

import typer

from lineclear.cli import policy_cases, policy_explain, policy_import, policy_lint, policy_replay, policy_show


def add(program: typer.Typer) -> None:
    """Add the verb with all that it does."""
    app = typer.Typer(help="Work on policies.", no_args_is_help=True, rich_markup_mode=None)
    app.callback()(_group)
    for command in (policy_cases, policy_explain, policy_import, policy_lint, policy_replay, policy_show):
        command.add(app)
    program.add_typer(app, name="policy")


def _group() -> None:
    """Work on policies."""
