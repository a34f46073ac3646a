"""Damage around the value: prose, fences, reasoning, wrappers, several values at once,
a text that was encoded once more, and one that ends early.
"""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Callable
from typing import Final

from .documents import Document, NoPlace, make_ordinary
from .model import Damage, Family, Operator, Splice, choose, wrap
from .structure import operator

__all__ = ["REPLIES"]

REPLIES: Final[list[Operator]] = []
_around = operator(Family.AROUND, REPLIES)
_several = operator(Family.SEVERAL, REPLIES)
_whole = operator(Family.WHOLE, REPLIES)
_alone = operator(Family.ALONE, REPLIES)
_cut = operator(Family.CUT, REPLIES)

_BEFORE: Final = (
    "Sure, here you go: ", "As noted in [1] and {name}:\n", "Output:\n\n", "JSON: ",
    "Here's the \"JSON\" you asked for:\n", "**Result**\n\n",
    "1. First (a, b)\n2. Then:\n",
    "I'd use `{}` or `[]` here:\n", "json\n", "The answer, in {curly braces}, is ",
    "> ",
    "好的，结果如下：\n", "Voilà :\n", "It's 5 > 3; see a/b.\n---\n", "# Result\n",
)  # fmt: skip
_AFTER: Final = (
    "\nHope that helps!", " Let me know.", '\n\nNote: {x} is "fine".',
    "\n- it's done\n",
    " [1]", "\n\n**Notes:** a, b (c)", ".", ";", "\n以上です。",
    "\n\nDoes it fit [your] case?",
    "<|im_end|>", "</s>", "\n```", "\n---\nend",
)  # fmt: skip
_DRAFTS: Final = (
    'maybe {"a": 1}? hmm', "let me think: [1, 2, 3] no",
    'I could answer {"x": [1]} or so',
    'The user wants JSON. ```json\n{"draft": true}\n```\nNo, better:', "just do it",
    "{",
    'the key "name" is needed', '{"draft": {"a": "b',
)  # fmt: skip


@_around
def prose_before(document: Document, dice: random.Random) -> Damage:
    """Prose before the value, some with brackets and quotes that are no JSON."""
    return wrap(document, dice.choice(_BEFORE), "")


@_around
def prose_after(document: Document, dice: random.Random) -> Damage:
    """Prose, or a token that ends a turn, after the value."""
    return wrap(document, "", dice.choice(_AFTER))


@_around
def prose_around(document: Document, dice: random.Random) -> Damage:
    """Prose on both sides."""
    return wrap(document, dice.choice(_BEFORE), dice.choice(_AFTER))


@_around
def byte_order_mark(document: Document, dice: random.Random) -> Damage:
    """The text starts with a byte order mark, or with one that was decoded wrongly."""
    return wrap(document, dice.choice(["\ufeff", "ï»¿"]), "")


@_around
def assigned(document: Document, dice: random.Random) -> Damage:
    """The value of an assignment or ``return``."""
    names = [
        "x = ",
        "const data = ",
        "return ",
        "var a=",
        "export default ",
        "result: ",
    ]
    return wrap(document, dice.choice(names), dice.choice(["", ";", ";\n"]))


@_around
def called(document: Document, dice: random.Random) -> Damage:
    """The argument of a call, as in JSONP."""
    names = ["callback", "json", "JSON.parse", "print", "cb_12", "a.b.c"]
    return wrap(document, dice.choice(names) + "(", dice.choice([")", ");", ");\n"]))


_BLOCKS: Final = (
    "| a | b |\n|---|---|\n| {x} | [1] |\n", "- [ ] first\n- [x] second\n",
    "A = {1, 2, 3}, B = {x | x > 0}\n", "p { color: red; margin: 0 }\n---\n",
    "query { user(id: 1) { name, tags } }\n",
    "Dear {{name}}, your ${order} is [here].\n",
    "See [1], [2] and [the docs](http://x.y).\n", "$\\frac{a}{b}$ and \\{x\\}\n",
    "```python\nfor k in d[0]:\n    print(f\"{k}\")\n```\n", "1. `a[0]`\n2. `{}`\n",
    "```ts\ninterface A { id: number; tags: string[] }\n```\n", "[^1]: a note {b}\n",
    "> quoted {words}\n", "f(x) = {0 if x < 0 else 1}\n", "if (a[i] > b) { return; }\n",
    "<div class='a'>{content}</div>\n", "[2024-05-01 10:00] INFO [main] done {id}\n",
)  # fmt: skip


@_around
def brackets_before(document: Document, dice: random.Random) -> Damage:
    """Brackets of other notations before the value: tables, code, sets, templates."""
    return wrap(document, dice.choice(_BLOCKS) + dice.choice(["\n", "\n\n", ""]), "")


@_around
def brackets_after(document: Document, dice: random.Random) -> Damage:
    """Brackets of other notations after the value, on lines of their own."""
    return wrap(document, "", dice.choice(["\n", "\n\n"]) + dice.choice(_BLOCKS))


# --------------------------------------------------------------------------- fences


def _fenced(
    document: Document, dice: random.Random, opening: str, closing: str
) -> Damage:
    before = dice.choice(["", "Here:\n", "As asked, {x}:\n\n"])
    after = dice.choice(["", "\n", "\nThat's [it]."])
    return wrap(document, before + opening, closing + after)


@_around
def fence_json(document: Document, dice: random.Random) -> Damage:
    """A fence with a json label."""
    label = dice.choice(["json", "JSON", "json5", "jsonc", " json", "json title=x"])
    return _fenced(document, dice, f"```{label}\n", "\n```")


@_around
def fence_plain(document: Document, dice: random.Random) -> Damage:
    """A fence without a label."""
    return _fenced(document, dice, "```\n", "\n```")


@_around
def fence_other_label(document: Document, dice: random.Random) -> Damage:
    """A fence with the label of another language, and nothing else in the reply."""
    label = dice.choice(["python", "js", "javascript", "text", "yaml"])
    return _fenced(document, dice, f"```{label}\n", "\n```")


@_around
def fence_unclosed(document: Document, dice: random.Random) -> Damage:
    """A fence that is never closed."""
    return wrap(document, "Here:\n```" + dice.choice(["json\n", "\n"]), "")


@_around
def fence_unopened(document: Document, dice: random.Random) -> Damage:
    """A closing fence only."""
    return wrap(document, "", "\n```" + dice.choice(["", "\n", "\nDone."]))


@_around
def fence_tildes(document: Document, dice: random.Random) -> Damage:
    """A fence of tildes, or of four marks."""
    mark = dice.choice(["~~~", "~~~~", "````"])
    return _fenced(document, dice, f"{mark}json\n", f"\n{mark}")


@_around
def fence_on_one_line(document: Document, dice: random.Random) -> Damage:
    """A fence without line ends inside, or single backticks."""
    opening, closing = dice.choice([("```json ", " ```"), ("```", "```"), ("`", "`")])
    if opening == "`" and "\n" in document.text:
        raise NoPlace
    return _fenced(document, dice, opening, closing)


def _indented(document: Document, prefix: str, opening: str, closing: str) -> Damage:
    """Every line of the text starts with the prefix."""
    lines = (
        Splice(match.end(), match.end(), prefix)
        for match in re.finditer("\n", document.text)
    )
    return Damage((*wrap(document, opening, closing).splices, *lines))


@_around
def fence_indented(document: Document, dice: random.Random) -> Damage:
    """A fence in a list, indented with all that is in it."""
    space = dice.choice(["  ", "    ", "\t"])
    opening = f"1. Like this:\n{space}```json\n{space}"
    return _indented(document, space, opening, f"\n{space}```\n2. Done.")


@_around
def fence_after_other(document: Document, dice: random.Random) -> Damage:
    """A fence with a json label behind one of another language."""
    other = dice.choice(["```sh\npip install x\n```\n", "```python\nx = [1]\n```\n"])
    return wrap(document, f"First:\n{other}Then:\n```json\n", "\n```\n")


@_around
def fence_in_fence(document: Document, dice: random.Random) -> Damage:
    """A fence inside a fence of four marks, or of Markdown."""
    mark = dice.choice(["````markdown", "````", "```markdown", "````md"])
    return wrap(document, f"{mark}\n```json\n", f"\n```\n{mark.rstrip('adkmnorw')}")


@_around
def fence_glued(document: Document, dice: random.Random) -> Damage:
    """A fence whose marks stand beside the value, and words beside the marks."""
    opening = dice.choice(["```json", "Result:```json\n", "Here ```json "])
    return wrap(document, opening, dice.choice(["```", "```Done.", "\n```ok"]))


# ------------------------------------------------------------------------ reasoning


@_around
def reasoning_before(document: Document, dice: random.Random) -> Damage:
    """A block of reasoning with a draft in it, then the answer."""
    name = dice.choice(
        ["think", "think", "thinking", "reasoning", "thought", "reflection"]
    )
    draft = dice.choice(_DRAFTS)
    return wrap(document, f"<{name}>{draft}</{name}>" + dice.choice(["", "\n\n"]), "")


@_around
def reasoning_unopened(document: Document, dice: random.Random) -> Damage:
    """Reasoning with a closing tag only, then the answer.

    No draft that ends inside a string: the tag could stand in that string.
    """
    draft = dice.choice([draft for draft in _DRAFTS if draft.count('"') % 2 == 0])
    return wrap(document, draft + dice.choice(["</think>", "\n</think>\n"]), "")


@_around
def reasoning_other_marks(document: Document, dice: random.Random) -> Damage:
    """Reasoning in the marks of other model families."""
    opening, closing = dice.choice(
        [("[THINK]", "[/THINK]"), ("<|channel|>analysis<|message|>", "<|end|>"),
         ("◁think▷", "◁/think▷"), ("<seed:think>", "</seed:think>")]
    )  # fmt: skip
    final = "<|channel|>final<|message|>" if "channel" in opening else "\n"
    return wrap(document, opening + dice.choice(_DRAFTS[:3]) + closing + final, "")


@_around
def reasoning_spelled(document: Document, dice: random.Random) -> Damage:
    """Reasoning in tags with capitals, spaces, attributes or other names."""
    opening, closing = dice.choice(
        [("<THINK>", "</THINK>"), ("<think >", "</think>"),
         ("<Thinking>", "</Thinking>"),
         ('<think type="a">', "</think>"), ("<scratchpad>", "</scratchpad>"),
         ("<analysis>", "</analysis>"), ("<inner_monologue>", "</inner_monologue>"),
         ("<|begin_of_thought|>", "<|end_of_thought|>"), ("<reason>", "</reason>"),
         ("<think>\n\n", "\n\n</think>"), ("<thoughts>", "</thoughts>")]
    )  # fmt: skip
    return wrap(document, opening + dice.choice(_DRAFTS[:3]) + closing + "\n", "")


@_around
def reasoning_twice(document: Document, dice: random.Random) -> Damage:
    """Two blocks of reasoning, each with a draft, before the answer."""
    first, second = dice.sample(_DRAFTS[:4], 2)
    return wrap(document, f"<think>{first}</think>\n<think>{second}</think>\n", "")


# ------------------------------------------------------------------------- wrappers

_TAGS: Final = (
    ("<tool_call>\n", "\n</tool_call>"), ("<tool_call>", "</tool_call>"),
    ("[TOOL_CALLS]", ""), ("[TOOL_CALLS] ", "</s>"), ("<|python_tag|>", "<|eom_id|>"),
    ("<function_call>", "</function_call>"), ("<answer>", "</answer>"),
    ("<json>\n", "\n</json>"), ("<output>", "</output>"), ("<function=f>",
    "</function>"),
    ("<|tool_call_start|>", "<|tool_call_end|>"), ("functools", ""),
    ("[[ ## output ## ]]\n", "\n\n[[ ## completed ## ]]"), ("<tool_call>\n", ""),
    ("", "\n</tool_call>"), ("<response>\n", "\n</response>\n"), ("", "</invoke>"),
    ("<|im_start|>assistant\n", "<|im_end|>"), ("<pre><code>", "</code></pre>"),
    ("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n",
     "\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>"),
    ("<｜tool▁call▁begin｜>f<｜tool▁sep｜>", "<｜tool▁call▁end｜>"),
    ("<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0"
     "<|tool_call_argument_begin|>", "<|tool_call_end|><|tool_calls_section_end|>"),
    ("<|channel|>commentary to=functions.f <|constrain|>json<|message|>", "<|call|>"),
    ("<|START_ACTION|>", "<|END_ACTION|>"), ("<TOOLCALL>", "</TOOLCALL>"),
    ("<|action_start|><|plugin|>", "<|action_end|>"), (">>>f\n", ""),
    ("<functioncall> ", " </functioncall>"), ("<arg_value>", "</arg_value>"),
    ("Action: f\nAction Input: ", "\nObservation:"),
    ('<invoke name="f">\n<parameter name="a">', "</parameter>\n</invoke>"),
    ("<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>", "</arg_value>\n</tool_call>"),
    ("<|assistant|>\n", "<|endoftext|>"), ("<start_of_turn>model\n", "<end_of_turn>"),
    ("[INST] json? [/INST] ", "</s>"), ("<|eot_id|>", "<|eot_id|>"),
)  # fmt: skip


@_around
def tags_around(document: Document, dice: random.Random) -> Damage:
    """The tags of tool calls and answers, some unpaired.

    ``functools`` goes before a list only: that is its form.
    """
    opening, closing = dice.choice(_TAGS)
    if opening == "functools" and document.role(0) != "[":
        raise NoPlace
    return wrap(document, opening, closing)


# -------------------------------------------------------------------- several values


def _several_values(
    document: Document, dice: random.Random, joints: tuple[str, ...]
) -> Damage:
    """One to three more documents of the same sort after this one: a list of all."""
    joint = dice.choice(joints)
    texts: list[str] = []
    while len(texts) < dice.randrange(1, 4):
        other = make_ordinary(dice)
        if other.role(0) == document.role(0):
            texts.append(joint + json.dumps(other.value, ensure_ascii=False))
    end = len(document.text)
    rest = "".join(f", {text[len(joint) :]}" for text in texts)
    return Damage(
        (Splice(end, end, "".join(texts)),),
        (Splice(0, 0, "[", -1), Splice(end, end, f"{rest}]", 1)),
    )


@_several
def several_on_lines(document: Document, dice: random.Random) -> Damage:
    """NDJSON: a value a line, with or without empty lines between."""
    return _several_values(document, dice, ("\n", "\n\n", "\r\n"))


@_several
def several_with_commas(document: Document, dice: random.Random) -> Damage:
    """Values with commas between them and no brackets around them."""
    return _several_values(document, dice, (", ", ",\n", ","))


@_several
def several_glued(document: Document, dice: random.Random) -> Damage:
    """Values with nothing or a space between them."""
    return _several_values(document, dice, ("", " "))


# ------------------------------------------------------------------------ the whole


def _rewritten(rewrite: Callable[[str], str]) -> Damage:
    return Damage(rewrite=rewrite)


@_whole
def structure_escaped(document: Document, dice: random.Random) -> Damage:
    """All is escaped as it would be inside a JSON string, without the quotes around."""
    return _rewritten(lambda text: json.dumps(text, ensure_ascii=False)[1:-1])


@_whole
def quotes_escaped(document: Document, dice: random.Random) -> Damage:
    """Every quote has a backslash; texts that have backslashes of their own are out."""
    if "\\" in document.text:
        raise NoPlace
    return _rewritten(lambda text: text.replace('"', '\\"'))


@_whole
def quotes_are_entities(document: Document, dice: random.Random) -> Damage:
    """Every quote is an HTML entity; texts with backslashes or ampersands are out."""
    if "&" in document.text or "\\" in document.text:
        raise NoPlace
    entity = dice.choice(["&quot;", "&quot;", "&#34;", "&#x22;"])
    assert html.unescape(entity) == '"'
    return _rewritten(lambda text: text.replace('"', entity))


@_whole
def escaped_as_html(document: Document, dice: random.Random) -> Damage:
    """All of the text is escaped for HTML: quotes, apostrophes, ampersands, ``<``."""
    return _rewritten(html.escape)


@_alone
def encoded_twice_in_prose(document: Document, dice: random.Random) -> Damage:
    """The text as one JSON string, behind a word or two."""
    before, after = dice.choice([("Output: ", ""), ("It is:\n", "\n"), ("x = ", ";")])
    return _rewritten(lambda text: before + json.dumps(text) + after)


@_alone
def encoded_twice(document: Document, dice: random.Random) -> Damage:
    """The text as one JSON string, or as a string of a string."""
    if dice.random() < 0.3:
        return _rewritten(lambda text: json.dumps(json.dumps(text)))
    return _rewritten(json.dumps)


# ---------------------------------------------------------------------------- loops


@_alone
def looped_whole(document: Document, dice: random.Random) -> Damage:
    """The whole again and again, a line each, as a model in a loop writes it."""
    times = dice.randrange(2, 40)
    text = json.dumps(document.value, ensure_ascii=False)
    end = len(document.text)
    return Damage(
        (Splice(end, end, f"\n{text}" * times),),
        (Splice(0, 0, "[", -1), Splice(end, end, f", {text}" * times + "]", 1)),
    )


@_cut
def looped_item(document: Document, dice: random.Random) -> Damage:
    """The last item of a list again and again, until the text is cut."""
    lists = [
        token
        for token in document.of("]")
        if document.role(token.number - 1) == "string" and token.parent == "["
    ]
    last = document.tokens[choose(dice, lists).number - 1]
    text = f", {last.text}" * dice.randrange(5, 60)
    splice = Splice(last.end, last.end, text)
    return Damage((splice,), (splice,), cut=last.end)


# ---------------------------------------------------------------------------- the cut


@_cut
def cut_anywhere(document: Document, dice: random.Random) -> Damage:
    """The text ends anywhere: a true prefix is the right answer."""
    stop = dice.randrange(1, len(document.text))
    return Damage(cut=stop)


@_cut
def cut_inside_token(document: Document, dice: random.Random) -> Damage:
    """The text ends inside a key, string, escape, number or literal."""
    tokens = [one for one in document.tokens if one.end - one.start > 1]
    token = choose(dice, tokens)
    return Damage(cut=dice.randrange(token.start + 1, token.end))


@_cut
def cut_in_fence(document: Document, dice: random.Random) -> Damage:
    """The text ends anywhere in a fence that is therefore not closed."""
    stop = dice.randrange(1, len(document.text))
    return Damage(rewrite=lambda text: f"Here:\n```json\n{text}", cut=stop)


@_cut
def cut_in_closed_fence(document: Document, dice: random.Random) -> Damage:
    """The text ends between two tokens, and the fence is closed all the same.

    Not inside a string: the fence could belong to that.
    """
    stop = dice.choice(document.tokens).end
    return Damage(rewrite=lambda text: f"```json\n{text}\n```\nOk.", cut=stop)
