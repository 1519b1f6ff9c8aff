"""From the messages of a trainer to turns: what the model wrote, as the server takes it."""

import json
import re
from collections.abc import Sequence
from typing import Any

from ..types import Limits, ToolCall, Turn

# What a tool answers when no server could be reached: a transcript that holds it is unscorable.
LOST = "The environment cannot be reached at present."
# What a tool answers once the episode has ended.
OVER = "The episode is over."

# What announces a tool call: a tag, or an object that begins a line, if arguments follow. A message that holds one of
# them, but no call that the trainer could read, meant to call.
_TAG = re.compile(r"<tool_call>|<\|tool_call>|<\|python_tag\|>")
_OBJECT = re.compile(r"^[ \t]*\{", re.MULTILINE)
_ARGUMENTS = re.compile(r"""["'](?:arguments|parameters)["']\s*:""")
_NAME_BYTES = 256


def call_of(name: str, arguments: Any, limits: Limits) -> ToolCall:
    """Return a call with arguments that the trainer has parsed."""
    # Within ASCII: what the model wrote may hold halves of characters, which are no text.
    return ToolCall(_cut(name, _NAME_BYTES), _cut(json.dumps(arguments), limits.argument_bytes))


def turns_of(
    completion: Sequence[dict[str, Any]], k: int, limits: Limits, tokens: Sequence[int] | None = None, cut: bool = False
) -> list[Turn] | None:
    """Return the turns of a transcript, or None where its environment was lost.

    tokens holds the length of each assistant message; cut says that the last of them was ended by the length limit. A
    model that the trainer lets call on after k turns has been truncated by the first of those.
    """
    if any(m["role"] == "tool" and m.get("content") == LOST for m in completion):
        return None
    said = [m for m in completion if m["role"] == "assistant"]
    turns = []
    for i, message in enumerate(said):
        finish = "length" if cut and i == len(said) - 1 else "tool_calls" if message.get("tool_calls") else "stop"
        turns.append(_turn(message, limits, None if tokens is None else tokens[i], finish))
    return turns[: k + 1]


def _turn(message: dict[str, Any], limits: Limits, tokens: int | None, finish: str) -> Turn:
    text, reasoning = _text(message.get("content")), _text(message.get("reasoning_content"))
    calls = [_call(c, limits) for c in message.get("tool_calls") or ()]
    # A think block that is never closed takes all of a message, and the call that the model went on to.
    if not calls and (broken := _broken(text if text.strip() else reasoning)):
        calls = [ToolCall("", _cut(broken, limits.argument_bytes))]
    return Turn(
        text=_cut(text, limits.text_bytes),
        reasoning=_cut(reasoning, limits.text_bytes),
        calls=tuple(calls[: limits.calls_per_turn]),
        tokens=tokens,
        finish_reason=finish,
    )


def _call(call: dict[str, Any], limits: Limits) -> ToolCall:
    function = call.get("function", call)
    return call_of(function["name"], function.get("arguments", {}), limits)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def _broken(text: str) -> str:
    """Return the call that a message announces outside its reasoning, as it stands."""
    visible = text.rpartition("</think>")[2]
    tag, line = _TAG.search(visible), _OBJECT.search(visible)
    if line and not _ARGUMENTS.search(visible, line.end()):
        line = None  # a result, not a call
    starts = [found.start() for found in (tag, line) if found]
    return visible[min(starts) :] if starts else ""


def _cut(text: str, most: int) -> str:
    """Return what of a text the server takes; a call that is cut is malformed, as it should be."""
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def lengths(tokenizer: Any, completion: Sequence[dict[str, Any]], ids: Sequence[int]) -> list[int] | None:
    """Return how many tokens the model generated for each assistant message, or None where that cannot be told.

    The ids of a completion hold the tool messages too, as the chat template writes them: those are looked for.
    """
    counts: list[int] = []
    at, i = 0, 0
    while i < len(completion):
        i += 1  # past an assistant message
        tools = []
        while i < len(completion) and completion[i]["role"] == "tool":
            tools.append(completion[i])
            i += 1
        if not tools:
            counts.append(len(ids) - at)
            at = len(ids)
            continue
        between = _rendered(tokenizer, tools)
        end = _find(ids, between, at)
        if end < 0:
            return None
        counts.append(end - at)
        at = end + len(between)
    return counts


def _rendered(tokenizer: Any, tools: list[dict[str, Any]]) -> list[int]:
    """Return what a template writes between an assistant message and the next one."""
    call = {"type": "function", "function": {"name": tools[0]["name"], "arguments": {}}}
    before = [{"role": "user", "content": "-"}, {"role": "assistant", "content": "", "tool_calls": [call]}]
    prefix: list[int] = tokenizer.apply_chat_template(before, tokenize=True, return_dict=False)
    whole: list[int] = tokenizer.apply_chat_template(
        [*before, *tools], tokenize=True, return_dict=False, add_generation_prompt=True
    )
    ends = [n for n, token in enumerate(prefix) if token == tokenizer.eos_token_id]
    return whole[ends[-1] + 1 if ends else len(prefix) :]


def _find(ids: Sequence[int], part: list[int], start: int) -> int:
    for at in range(start, len(ids) - len(part) + 1):
        if ids[at] == part[0] and list(ids[at : at + len(part)]) == part:
            return at
    return -1
