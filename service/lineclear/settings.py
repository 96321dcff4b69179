"""Settings are read once, here, from the command line, the environment, a file and defaults, and passed down."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from functools import partial
from pathlib import Path  # noqa: TC003 - pydantic reads the annotations
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from lineclear import settings_file
from lineclear.settings_faults import SettingsError, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PREFIX = "LINECLEAR_"
_COMMAND_LINE, _ENVIRONMENT, _SHARED = "command line", "environment", "ANTHROPIC_* in the environment"
"""Where values come from, beside the file."""
_SHARED_NAMES = {"classifier.api_key": "ANTHROPIC_API_KEY", "classifier.base_url": "ANTHROPIC_BASE_URL"}
"""Settings that have a name with other clients too, and those names."""

_LAST_PORT = 65535
_DATABASES = {"postgresql", "postgres", "postgresql+asyncpg"}


class Stage(BaseModel):
    """One stage of the classifier."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str | None = Field(default=None, description="Model of this stage; unset, the built-in choice.")
    timeout_s: float | None = Field(
        default=None, gt=0, le=300, description="Seconds that one request may take; unset, 6 and 25."
    )
    thinking: Literal["auto", "adaptive", "budget", "omitted"] = Field(
        default="auto",
        description="How thinking is asked for: `auto` as the model takes it, `omitted` where it isn't known.",
    )
    effort: str | None = Field(default=None, description="Effort, where the model offers levels; unset, its own.")
    budget_tokens: int = Field(
        default=2048, ge=1024, description="Tokens for thinking, where it is asked for by a budget."
    )
    structured: Literal["auto", "on", "off"] = Field(
        default="auto", description="Whether the form of the answer is sent as a schema; `auto` where it is offered."
    )
    input_usd: float | None = Field(default=None, ge=0, description="Price of a million input tokens, for the metrics.")
    output_usd: float | None = Field(default=None, ge=0, description="Price of a million output tokens.")


class Classifier(BaseModel):
    """The model that is asked in auto mode about what rules and analysis leave open. Without a key there is none."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    api_key: SecretStr | None = Field(
        default=None,
        description="Key for the Messages API; unset, `ANTHROPIC_API_KEY`. Without one no model is asked.",
    )
    base_url: str | None = Field(
        default=None, description="Another server that speaks the Messages API; unset, `ANTHROPIC_BASE_URL`."
    )
    provider: Literal["messages_api", "bedrock", "vertex"] = Field(
        default="messages_api",
        description="Whose client of the SDK is used; the other two may find their credentials themselves.",
    )
    fast: Stage = Field(default=Stage(), description="The first, quick stage.")
    thinking: Stage = Field(default=Stage(), description="The second, thorough stage.")


class Settings(BaseSettings):
    """Everything that can be set, for the whole service."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", env_ignore_empty=True, extra="forbid", frozen=True
    )

    env: Literal["development", "production"] = Field(
        default="development", description="`production` refuses the embedded database and a generated secret."
    )
    database_url: SecretStr | None = Field(
        default=None,
        examples=["postgresql://user:password@host/name"],
        description="Postgres 15 or newer, `postgresql://…`; unset, the service brings its own.",
    )
    data_dir: Path = Field(
        default_factory=lambda: user_data_path("lineclear", appauthor=False),
        description="Folder of the embedded database, its secret and its first keys.",
    )
    secret: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Secret from which keyed hashes are derived, the same on all replicas; at least 16 characters. "
        "Generated in the data folder with the embedded database, required elsewhere.",
    )
    policies: Path | None = Field(
        default=None, description="Folder of the policies; unset, `./policies` if there is one, else the shipped ones."
    )
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=8642, ge=0, le=_LAST_PORT, description="Port to listen on; 0 takes a free one.")
    uds: Path | None = Field(default=None, description="Unix socket to listen on instead of address and port.")
    metrics_listen: str | None = Field(
        default=None,
        examples=["127.0.0.1:9464"],
        pattern=r"^(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+):\d{1,5}$",
        description="Address of its own for `/metrics`, `host:port`, without a key; unset, `/metrics` needs the role "
        "`metrics`.",
    )
    allowed_hosts: Annotated[frozenset[str], NoDecode] = Field(
        default=frozenset({"localhost", "127.0.0.1", "[::1]"}),
        description="Names in `Host` under which requests that change state are served, separated by commas; the "
        "address listened on is always one.",
    )
    max_body_bytes: int = Field(default=1_048_576, ge=1024, description="Largest body of a request, in bytes.")
    max_in_flight: int = Field(
        default=512,
        ge=1,
        description="Requests served at once; what comes on top, and what one principal has beyond three quarters of "
        "them, is answered 503 without waiting.",
    )
    keep_days: int | None = Field(
        default=None,
        ge=1,
        description="Days for which decisions are kept; older ones are dropped by `lineclear db maintain`, and by the "
        "service itself from its embedded database. Unset, for ever.",
    )
    checkpoints: Path | None = Field(
        default=None,
        description="File, or existing folder, that the service adds checkpoints of the log's chains to: where whoever "
        "may change the database can't change it. Unset, they are only logged.",
    )
    drain_s: float = Field(
        default=0, ge=0, description="Seconds between being asked to stop (not ready at once) and taking no more calls."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least severity that is logged."
    )
    classifier: Classifier = Field(default=Classifier(), description="The model for what no rule decides.")

    @field_validator("database_url")
    @classmethod
    def _is_a_database(cls, value: SecretStr | None) -> SecretStr | None:
        parts = None if value is None else urlsplit(value.get_secret_value())
        if parts is not None and (parts.scheme not in _DATABASES or parts.port == 0):  # the port is read, or refused
            raise ValueError("this is no Postgres")
        return value

    @field_validator("metrics_listen")
    @classmethod
    def _is_a_port(cls, value: str | None) -> str | None:
        if value is not None and int(value.rpartition(":")[2]) > _LAST_PORT:
            raise ValueError("there is no such port")
        return value

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return [part.strip().lower() for part in value.split(",") if part.strip()] if isinstance(value, str) else value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - ours knows what orchestrators inject
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - a file in a repository configures nothing
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - not offered
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Command line over environment over file over the names that other clients use."""
        return (init_settings, *(source for _, source in _sources(settings_cls)))


def load(**given: Any) -> Settings:
    """The settings in effect; ``given`` is what the command line says, None where it says nothing.

    Raises ``SettingsError``.
    """
    _refuse_misspelled(os.environ)
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        sources = dict.fromkeys((name for name, value in given.items() if value is not None), _COMMAND_LINE)
        faults = told(error.errors(), Settings.model_json_schema(), partial(_place, origins() | sources))
        raise SettingsError(faults) from None


def _place(sources: Mapping[str, str], name: str, at: str) -> str:
    """A setting as it is written where ``at`` was set: an option, a variable, an entry of the file."""
    source = next((one for leaf, one in sources.items() if f"{leaf}.".startswith(f"{at}.")), _ENVIRONMENT)
    if source == _COMMAND_LINE:
        return f"`--{name}`"
    if source == _SHARED:
        return f"`{_SHARED_NAMES[name]}`"
    return f"`{variable(name)}`" if source == _ENVIRONMENT else f"`{name}` in `{source}`"


def origins() -> dict[str, str]:
    """For each setting that isn't at its default, by dotted name: where its value comes from."""
    found: dict[str, str] = {}
    for name, source in reversed(_sources(Settings)):
        found |= dict.fromkeys(_leaves(source()), name)
    return found


def variable(name: str) -> str:
    """The environment variable of a setting's dotted name."""
    return PREFIX + name.replace(".", "__").upper()


def names() -> list[str]:
    """Every setting's dotted name."""
    return list(_fields(Settings))


def _fields(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _fields(inner, f"{prefix}{name}.")
        else:
            yield prefix + name


def _refuse_misspelled(environment: Iterable[str]) -> None:
    """A misspelled variable must not leave a default in force; one that resembles none of ours isn't meant for us."""
    known = {variable(name) for name in names()} | {settings_file.VARIABLE}
    groups = {name[: end.start()]: name for name in sorted(known, reverse=True) for end in re.finditer("__", name)}
    for name in environment:
        if not name.startswith(PREFIX) or name in known:
            continue
        if name in groups:
            raise SettingsError(f"`{name}` is a group of settings; set those in it, like `{groups[name]}`")
        if nearest := get_close_matches(name, known, 1, 0.9):
            raise SettingsError(f"there is no setting `{name}`; did you mean `{nearest[0]}`?")


class _Environment(EnvSettingsSource):
    """Our variables, without ``LINECLEAR_PORT=tcp://…``, which Kubernetes sets for a service named ``lineclear``."""

    def __call__(self) -> dict[str, Any]:
        """What the environment says, nested."""
        values = super().__call__()
        if str(values.get("port", "")).startswith("tcp://"):
            del values["port"]
        return values


def _sources(cls: type[BaseSettings]) -> list[tuple[str, PydanticBaseSettingsSource]]:
    file = settings_file.found()
    shared = {
        field.rpartition(".")[2]: os.environ[name] for field, name in _SHARED_NAMES.items() if os.environ.get(name)
    }
    return [
        (_ENVIRONMENT, _Environment(cls)),
        (str(file), InitSettingsSource(cls, settings_file.read(file) if file else {})),
        (_SHARED, InitSettingsSource(cls, {"classifier": shared} if shared else {})),
    ]


def _leaves(values: dict[str, Any], prefix: str = "") -> list[str]:
    names: list[str] = []
    for key, value in values.items():
        names += _leaves(value, f"{prefix}{key}.") if value and isinstance(value, dict) else [prefix + key]
    return names
