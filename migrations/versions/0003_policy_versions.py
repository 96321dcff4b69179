"""Of each policy version, the commit that its files came from.

Revision ID: 0003
Revises: 0002
"""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE policy_versions ADD COLUMN git_commit text, ADD COLUMN modified boolean")


def downgrade() -> None:
    op.execute("ALTER TABLE policy_versions DROP COLUMN git_commit, DROP COLUMN modified")
