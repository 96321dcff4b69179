"""What is shipped: places that execute or hold secrets are held, everyday files are not."""

from __future__ import annotations

import pytest

from lineclear.core.effects import Deed
from support.grounds import LINUX, shipped, touch

SHIPPED = shipped()

WRITTEN = [
    ".git/config", ".gitmodules", "~/.gitconfig", "~/.config/git/config", ".husky/pre-commit",
    ".pre-commit-config.yaml", ".claude/settings.json", "CLAUDE.md", "packages/a/AGENTS.md", "GEMINI.md",
    ".mcp.json", ".cursor/mcp.json", ".codex/config.toml", ".gemini/settings.json", ".opencode/agent/a.md",
    "opencode.json", ".clinerules/a.md", ".openhands/microagents/a.md", ".windsurfrules",
    ".github/copilot-instructions.md", ".vscode/tasks.json", ".idea/workspace.xml",
    ".devcontainer/devcontainer.json", ".github/workflows/ci.yml", ".cargo/config.toml", "~/.bashrc",
    "~/.zshenv", "~/.profile", "~/.bash_profile", "~/.config/fish/config.fish", "/etc/profile.d/x.sh",
    "/etc/cron.d/x", "~/.config/systemd/user/x.service", "~/Library/LaunchAgents/x.plist", ".npmrc",
    "~/.yarnrc.yml", "~/.config/pip/pip.conf", "~/.pypirc", "~/.config/lineclear/organisation.yaml",
]  # fmt: skip

SECRET = [
    ".env", ".env.local", "a/.env.production", "~/.ssh/config", "~/.aws/credentials", "~/.gnupg/x",
    "deploy/id_rsa", "~/.netrc", "~/.pgpass", "~/.docker/config.json", "~/.kube/config",
    "~/.config/gcloud/credentials.db", "~/.git-credentials", "~/.npmrc", "~/.pypirc", "/etc/shadow",
    "/etc/gshadow-", "certs/server.key", "~/.config/gh/hosts.yml", "~/.claude/.credentials.json",
    "~/.codex/auth.json", "/proc/self/environ", "/proc/12/task/12/environ", "~/.bash_history",
    "~/.cargo/credentials.toml",
]  # fmt: skip

EVERYDAY = [
    "src/a.py", "README.md", "docs/claude/setup.md", "src/environment.py", "docs/ssh-setup.md",
    "assets/.gitkeep", ".gitignore", ".gitattributes", ".dockerignore", ".editorconfig",
    ".github/dependabot.yml", "package.json", "Makefile", "pyproject.toml", "Dockerfile", ".env.example",
    "a/.env.sample", ".env.template", ".claude/worktrees/x/src/a.py", "src/keys.py", "docs/credentials.md",
    "config/app.json", "tests/profile.py", "/tmp/x",
]  # fmt: skip


def ids(spelled, deed, **kinds):
    return [entry.id for entry in SHIPPED.breached(touch(spelled, deed, **kinds), LINUX)]


@pytest.mark.parametrize("spelled", WRITTEN + SECRET)
def test_writing_asks(spelled):
    assert ids(spelled, Deed.WRITE)


@pytest.mark.parametrize("spelled", SECRET)
def test_reading_a_secret_asks(spelled):
    assert ids(spelled, Deed.READ)


@pytest.mark.parametrize(
    "spelled", [".git/HEAD", ".claude/settings.json", "CLAUDE.md", "~/.bashrc", ".npmrc", "/etc/passwd"]
)
def test_reading_what_is_no_secret_does_not(spelled):
    assert not ids(spelled, Deed.READ)


@pytest.mark.parametrize("deed", list(Deed))
@pytest.mark.parametrize("spelled", EVERYDAY)
def test_everyday_files_are_free(spelled, deed):
    assert not ids(spelled, deed)


@pytest.mark.parametrize("spelled", ["*", "src/*", "*.py", "src/*.json", "test_*", "docs/**/*.md", "[a-z]*", "*.txt"])
def test_everyday_globs_may_be_read(spelled):
    assert not ids(spelled, Deed.READ, glob=True)


@pytest.mark.parametrize("spelled", [".", "src", "docs", "~"])
def test_folders_may_be_searched(spelled):
    assert not ids(spelled, Deed.READ, recursive=True)


def test_each_entry_has_an_id_of_its_own_and_asks():
    assert len({entry.id for entry in SHIPPED.entries}) == len(SHIPPED.entries)
    assert {entry.effect for entry in SHIPPED.entries} == {"ask"}
    assert all(entry.id.startswith("builtin.") for entry in SHIPPED.entries)
