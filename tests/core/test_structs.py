"""Records of a decision are structs that nobody changes, and whose defaults are values."""

import dataclasses
import importlib
import pkgutil

import pytest
from msgspec import Struct

from lineclear import core


def structs():
    for module in pkgutil.walk_packages(core.__path__, "lineclear.core."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, Struct) and value.__module__ == module.name:
                yield pytest.param(value, id=f"{module.name.removeprefix('lineclear.core.')}.{value.__name__}")


@pytest.mark.parametrize("struct", list(structs()))
def test_no_default_is_what_a_dataclass_would_make_a_default_of(struct):
    assert not any(isinstance(default, dataclasses.Field) for default in struct.__struct_defaults__)
