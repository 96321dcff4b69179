"""Alembic's entry: runs on the connection that ``lineclear.storage.migrate`` lends, and on no other."""

from __future__ import annotations

from alembic import context

from lineclear.storage.tables import metadata

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("migrations are run by `lineclear db upgrade`, which takes the lock that they need")

context.configure(connection=connection, target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
