"""Edge: what is durable, in Postgres. The only package that knows SQLAlchemy, Alembic and asyncpg."""
