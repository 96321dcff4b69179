"""Settings: command line over environment over file over defaults, and a message that names what is wrong."""

from __future__ import annotations

import os

import pytest

from lineclear.settings import load, origins
from lineclear.settings_faults import SettingsError


@pytest.fixture(autouse=True)
def clean(monkeypatch, tmp_path):
    """An environment of the test's own."""
    for name in list(os.environ):
        if name.startswith(("LINECLEAR_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def a_file(monkeypatch, tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.setenv("LINECLEAR_SETTINGS", str(path))
        return path

    return write


def test_the_order_of_sources(monkeypatch, a_file):
    assert load().port == 8642
    file = a_file("s.toml", 'port = 1\n[classifier.fast]\nmodel = "a"\n')
    assert (load().port, origins()["port"]) == (1, str(file))
    monkeypatch.setenv("LINECLEAR_PORT", "2")
    assert (load().port, origins()["port"]) == (2, "environment")
    assert load(port=3).port == 3
    assert load(port=None).classifier.fast.model == "a"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.toml", 'host = "h"\n[classifier]\nbase_url = "u"\n'),
        ("s.yaml", "host: h\nclassifier: {base_url: u}\n"),
        ("s.yml", "host: h\nclassifier: {base_url: u}\n"),
    ],
)
def test_a_file_may_be_toml_or_yaml(a_file, name, text):
    a_file(name, text)
    assert (load().host, load().classifier.base_url) == ("h", "u")


@pytest.mark.parametrize("name", ["settings.toml", "settings.yaml"])
def test_the_configuration_folder_is_looked_into(tmp_path, name):
    folder = tmp_path / "config" / "lineclear"
    folder.mkdir(parents=True)
    (folder / name).write_text("port = 7" if name.endswith("toml") else "port: 7")
    assert load().port == 7


def test_the_working_directory_configures_nothing(tmp_path):
    for name in (".env", "settings.toml", "lineclear.toml"):
        (tmp_path / name).write_text("port = 7\nLINECLEAR_PORT=7\n")
    assert load().port == 8642


def test_other_clients_names_stand_beneath_everything(monkeypatch, a_file):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "shared")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://shared")
    assert load().classifier.api_key.get_secret_value() == "shared"
    a_file("s.toml", '[classifier]\nbase_url = "http://ours"\n')
    monkeypatch.setenv("LINECLEAR_CLASSIFIER__API_KEY", "ours")
    assert load().classifier.api_key.get_secret_value() == "ours"
    assert load().classifier.base_url == "http://ours"


def test_what_kubernetes_injects_is_no_port(monkeypatch):
    monkeypatch.setenv("LINECLEAR_PORT", "tcp://10.0.0.1:8642")
    assert load().port == 8642


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("LINECLEAR_PORT", "hunter2", "`LINECLEAR_PORT` must be a whole number from 0 to 65535"),
        ("LINECLEAR_PORT", "65536", "`LINECLEAR_PORT` must be a whole number from 0 to 65535"),
        ("LINECLEAR_MAX_IN_FLIGHT", "0", "`LINECLEAR_MAX_IN_FLIGHT` must be a whole number of at least 1"),
        ("LINECLEAR_DRAIN_S", "soon", "`LINECLEAR_DRAIN_S` must be a number of at least 0"),
        ("LINECLEAR_ENV", "hunter2", "`LINECLEAR_ENV` must be `development` or `production`"),
        ("LINECLEAR_LOG_LEVEL", "x", "`LINECLEAR_LOG_LEVEL` must be `debug`, `info`, `warning` or `error`"),
        ("LINECLEAR_SECRET", "short-hunter2", "`LINECLEAR_SECRET` must be a text of at least 16 characters"),
        ("LINECLEAR_METRICS_LISTEN", "h:65536", "`LINECLEAR_METRICS_LISTEN` must be a text, like `127.0.0.1:9464`"),
        ("LINECLEAR_METRICS_LISTEN", "9464", "`LINECLEAR_METRICS_LISTEN` must be a text, like `127.0.0.1:9464`"),
        (
            "LINECLEAR_CLASSIFIER__FAST__TIMEOUT_S",
            "0",
            "`LINECLEAR_CLASSIFIER__FAST__TIMEOUT_S` must be a number above 0 and of at most 300",
        ),
        (
            "LINECLEAR_CLASSIFIER__FAST__EFORTS",
            "x",
            "no setting `LINECLEAR_CLASSIFIER__FAST__EFORTS`; did you mean `LINECLEAR_CLASSIFIER__FAST__EFFORT`?",
        ),
        ("LINECLEAR_CLASSIFIER__ZZ", "x", "there is no setting `LINECLEAR_CLASSIFIER__ZZ`"),
        ("LINECLEAR_CLASIFIER__API_KEY", "hunter2", "did you mean `LINECLEAR_CLASSIFIER__API_KEY`?"),
        (
            "LINECLEAR_CLASSIFIER",
            "hunter2",
            "a group of settings; set those in it, like `LINECLEAR_CLASSIFIER__API_KEY`",
        ),
        ("LINECLEAR_CLASSIFIER__FAST", "x", "a group of settings; set those in it, like `LINECLEAR_CLASSIFIER__FAST__"),
        ("LINECLEAR_DATABSE_URL", "postgresql://x", "`LINECLEAR_DATABASE_URL`"),
        ("LINECLEAR_DATABASE_ULR", "postgresql://x", "`LINECLEAR_DATABASE_URL`"),
    ],
)
def test_what_is_wrong_is_named_and_never_quoted(monkeypatch, variable, value, says):
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as caught:
        load()
    assert says in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("s.toml", "port = ", "s.toml"),
        ("s.yaml", "port: [1", "s.yaml"),
        ("s.toml", b"# \xe9", "s.toml"),
        ("s.yaml", "- 1", "mapping"),
        ("s.yaml", "!!python/object/apply:os.system [ls]", "s.yaml"),
        ("s.toml", "prot = 1", "no setting `prot` in `.*s.toml`; did you mean `port` in `.*s.toml`"),
        ("s.toml", "port = 'many'", "`port` in `.*s.toml` must be a whole number from 0 to 65535"),
        ("s.toml", "classifier = 3", "`classifier` in `.*s.toml` must be a table of settings"),
        ("s.toml", "allowed_hosts = [1]", "`allowed_hosts` in `.*s.toml` must be names, separated by commas"),
        ("s.toml", "[classifier]\nfats = {}", "no setting `classifier.fats` in .* did you mean `classifier.fast` in"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(a_file, name, text, says):
    a_file(name, text)
    with pytest.raises(SettingsError, match=says):
        load()


@pytest.mark.parametrize(
    "url",
    [
        "mysql://me:hunter2@h/db",
        "h/db?password=hunter2",
        "postgresql+psycopg://me:hunter2@h/db",
        "postgresql://me:hunter2@h:port/db",
        "postgresql://me:hunter2@h:99999/db",
        "postgresql://me:hunter2@[::1/db",
    ],
)
def test_a_database_that_is_none_is_refused_without_its_password(monkeypatch, url):
    monkeypatch.setenv("LINECLEAR_DATABASE_URL", url)
    with pytest.raises(SettingsError) as caught:
        load()
    assert str(caught.value) == "`LINECLEAR_DATABASE_URL` must be a text, like `postgresql://user:password@host/name`"


def test_an_option_that_is_wrong_is_named_as_it_is_typed(monkeypatch):
    monkeypatch.setenv("LINECLEAR_PORT", "1")
    with pytest.raises(SettingsError, match=r"^`--port` must be a whole number from 0 to 65535$"):
        load(port=65536)


def test_each_fault_is_told_where_it_was_made(monkeypatch, a_file):
    a_file("s.toml", "drain_s = -1\n[classifier.fast]\nmodel = 3\n")
    monkeypatch.setenv("LINECLEAR_KEEP_DAYS", "0")
    with pytest.raises(SettingsError) as caught:
        load(host="h")
    keep, drain, model = str(caught.value).split("; ")
    assert keep == "`LINECLEAR_KEEP_DAYS` must be a whole number of at least 1"
    assert drain.startswith("`drain_s` in `")
    assert model.startswith("`classifier.fast.model` in `")


def test_a_file_that_is_named_must_be_there(monkeypatch):
    monkeypatch.setenv("LINECLEAR_SETTINGS", "/nowhere/s.toml")
    with pytest.raises(SettingsError, match=r"/nowhere/s\.toml"):
        load()


def test_the_test_settings_of_the_repository_are_no_mistakes(monkeypatch):
    monkeypatch.setenv("LINECLEAR_CASES", "x")
    monkeypatch.setenv("LINECLEAR_CORPORA", "x")
    monkeypatch.setenv("LINECLEAR_SERVICE_HOST", "10.0.0.1")
    load()


def test_hosts_are_a_list_of_names(monkeypatch):
    monkeypatch.setenv("LINECLEAR_ALLOWED_HOSTS", "Lineclear.internal, localhost,")
    assert load().allowed_hosts == {"lineclear.internal", "localhost"}
