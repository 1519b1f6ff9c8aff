"""Tools as methods, since TRL derives what the model sees of a tool from a Python signature and its docstring."""

import inspect
import json
from collections.abc import Callable, Sequence
from typing import Any, Literal

from ..types import Tool

# Methods of an environment that TRL calls itself; those that begin with _ are no tools to it.
_RESERVED = ("reset", "get_reward")
_SCALARS: dict[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}


class SchemaError(ValueError):
    """A tool would not reach the model as the server describes it."""


def method(tool: Tool) -> Callable[..., str]:
    """Return a method that hands its arguments to `self._call(name, arguments)` and looks like the tool.

    It takes any arguments, so that wrong ones reach the server, which knows how to answer them.
    """
    if tool.name in _RESERVED or tool.name.startswith("_"):
        raise SchemaError(f"tool {tool.name} has a name that TRL keeps from the model")
    function = tool.schema()["function"]
    properties: dict[str, Any] = function["parameters"]["properties"]
    required: list[str] = function["parameters"].get("required", [])

    def run(self: Any, /, **arguments: Any) -> str:
        answer: str = self._call(tool.name, arguments)
        return answer

    try:
        hints = {name: _hint(schema) for name, schema in properties.items()}
        # By keyword alone, so that parameters keep their order wherever those with a default stand.
        parameters = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=hint,
                default=inspect.Parameter.empty if name in required else None,
            )
            for name, hint in hints.items()
        ]
        receiver = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        signature = inspect.Signature([receiver, *parameters])
    except ValueError as reason:
        raise SchemaError(f"tool {tool.name} has no Python signature that TRL could read: {reason}") from None
    descriptions = "".join(f"\n    {name}: {schema.get('description', '')}" for name, schema in properties.items())
    run.__name__ = run.__qualname__ = tool.name
    run.__doc__ = function["description"] + (f"\n\nArgs:{descriptions}" if properties else "")
    run.__annotations__ = hints  # none for what it returns: TRL would show that to the model
    run.__signature__ = signature  # type: ignore[attr-defined]
    return run


def _hint(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    kind = schema.get("type")
    if kind == "array":
        return list[_hint(schema["items"])]  # type: ignore[misc] # a type made at run time
    if kind not in _SCALARS:
        raise ValueError(f"a parameter of type {kind!r} is neither a plain value nor a list of them")
    return _SCALARS[kind]


def check(instance: object, tools: Sequence[Tool]) -> None:
    """Compare what TRL shows of an environment with the server's tools, byte for byte; raise SchemaError."""
    from transformers.utils import get_json_schema

    listed = [
        name
        for name, _ in inspect.getmembers(type(instance), inspect.isfunction)
        if not name.startswith("_") and name not in _RESERVED
    ]
    if listed != [tool.name for tool in tools]:
        raise SchemaError(f"TRL would show the tools {listed}, the server has {[t.name for t in tools]}")
    for tool in tools:
        shown = json.dumps(get_json_schema(getattr(instance, tool.name)), ensure_ascii=False, separators=(",", ":"))
        if shown != tool.json:
            raise SchemaError(f"tool {tool.name}: TRL would show\n  {shown}\nthe server has\n  {tool.json}")
