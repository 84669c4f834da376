"""The dialect of models that others taught: instructions in words, chat templates, end tokens.

Where the tokenizer has a chat template the prompt is one user turn; otherwise it is plain text
with one worked example, since a model without instruction tuning goes by form. Three things go
wrong in practice and are ruled out here: a start token twice (template plus tokenizer), an end
token that is masked because it also pads, and an end-of-turn token other than `eos_token` that
nobody stops at.
"""

import re
from collections.abc import Sequence

from transformers import PreTrainedTokenizerBase

SOLVE = (
    "Solve the problem step by step. Write every calculation as an equation, such as 3 + 4 = 7. "
    "End with a line that holds only #### and the final number."
)
PROPOSE = (
    "Write one new math word problem that needs {steps} to solve. Use whole numbers, give every "
    "number that is needed, and end with one question. Write only the problem, not its solution."
)
GROW = (
    "Here is how a math word problem begins. Write {more} in which something changes "
    "the number by one calculation, and then the question for the number at the end. Write only "
    "these sentences."
)
EXAMPLE = (
    "Problem: Tom has 12 cards. He buys 5 more and gives away 3. How many cards does he have?\n"
    "Solution: 12 + 5 = 17\n17 - 3 = 14\n#### 14\n\n"
)
BEGINNING = "Beginning: "

_BEGINNING_LINE = re.compile(rf"{re.escape(BEGINNING)}(.+)")
_RUN_ON = re.compile(r"^\W*(?:problem|question|solution|answer|beginning)\b.*", re.I | re.M)
_LABEL = re.compile(r"^\W*(?:new |the )?(?:math |word )*problem\W*:\W*", re.IGNORECASE)


class ChatDialect:
    """Speaks with instruction-tuned and plain models in English.

    Args:
        tokenizer: The model's own.
        stops: Every id that ends a response, `eos_token` among them.
        chat: Whether to use the tokenizer's chat template, where it has one.

    Raises:
        ValueError: without a stop id.
    """

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, *, stops: Sequence[int], chat: bool = True
    ) -> None:
        if not stops:
            raise ValueError("a dialect needs at least one id that ends a response")
        self._tokenizer = tokenizer
        self._stops = tuple(stops)
        self._chat = chat and tokenizer.chat_template is not None
        self._special = sorted(tokenizer.all_special_tokens, key=len, reverse=True)
        self._end = self._end_of_turn()
        self._padding = self._harmless_id()

    def solve_prompt(self, problem: str) -> str:
        """Instruction and problem; asks for equations and a last line `#### answer`."""
        problem = self._clean(problem)
        if self._chat:
            return self._turn(f"{SOLVE}\n\nProblem: {problem}")
        return f"{SOLVE}\n\n{EXAMPLE}Problem: {problem}\nSolution:"

    def propose_prompt(
        self, steps: int, context: str | None = None, exemplars: Sequence[str] = ()
    ) -> str:
        """Instruction, examples of what to write about, and the text to vary, if any."""
        asked = PROPOSE.format(steps="1 step" if steps == 1 else f"{max(1, steps)} steps")
        parts = [asked]
        if exemplars:
            parts.append("Examples:\n" + "\n".join(f"- {self._clean(text)}" for text in exemplars))
        if context is not None:
            parts.append(
                "Vary this problem: keep its kind of situation, change the story and the numbers.\n"
                f"{self._clean(context)}"
            )
        return self._turn("\n\n".join(parts)) if self._chat else "\n\n".join([*parts, "Problem:"])

    def grow_prompt(self, beginning: str, steps: int = 1) -> str:
        """Asks for `steps` events and a question behind `beginning`."""
        more = "one more sentence" if steps == 1 else f"{steps} more sentences, each"
        asked = f"{GROW.format(more=more)}\n\n{BEGINNING}{self._clean(beginning)}"
        return self._turn(asked) if self._chat else f"{asked}\nNext sentences:"

    def read_proposal(self, prompt: str, response: str) -> str | None:
        """The problem in a response, up to its question; None where it asks nothing.

        After a grow prompt the given beginning comes first, whether or not the response repeats it.
        """
        body = _LABEL.sub("", response.strip())
        body = " ".join(_RUN_ON.split(body, maxsplit=1)[0].split())
        body = body[: body.find("?") + 1]
        given = _BEGINNING_LINE.search(prompt)
        if not body or given is None:
            return body or None
        beginning = self._cut_special(given[1]).strip()
        return body if body.startswith(beginning) else f"{beginning} {body}"

    def read_chain(self, response: str) -> str:
        """The response, without another problem that the model may have run on to."""
        cut = re.split(r"^\W*(?:Problem|Question):", response, maxsplit=1, flags=re.MULTILINE)
        return cut[0].strip()

    def encode(self, prompt: str) -> list[int]:
        """Ids of a prompt with one start token, where the model has one, and no end token."""
        if self._chat:
            return self._once(self._ids(prompt))
        ids = list(self._tokenizer(prompt)["input_ids"])
        while len(ids) > 1 and ids[-1] in self._stops and ids[-1] != ids[0]:
            ids.pop()
        return self._once(ids)

    def encode_chain(self, chain: str) -> list[int]:
        """Ids of a chain as a response, and the end-of-turn token that is to be learned."""
        text = self._clean(chain)
        return [*self._ids(text if self._chat else f" {text}"), self._end]

    def encode_proposal(self, prompt: str, problem: str) -> list[int]:
        """Ids of the response to `prompt` that makes `problem`, end-of-turn token included."""
        given = _BEGINNING_LINE.search(prompt)
        text = self._clean(problem)
        if given is not None:
            text = text.removeprefix(self._cut_special(given[1]).strip()).strip()
        return [*self._ids(text if self._chat else f" {text}"), self._end]

    def decode(self, ids: Sequence[int]) -> str:
        """Text of a response, without special tokens."""
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True)).strip()

    @property
    def chain_stops(self) -> tuple[int, ...]:
        """Every end token of the model."""
        return self._stops

    @property
    def proposal_stops(self) -> tuple[int, ...]:
        """Every end token of the model."""
        return self._stops

    @property
    def padding(self) -> int:
        """An id that ends no response."""
        return self._padding

    def _turn(self, content: str) -> str:
        messages = [{"role": "user", "content": content}]
        made = self._tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True
        )
        return str(made)

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _once(self, ids: list[int]) -> list[int]:
        start = self._tokenizer.bos_token_id
        while len(ids) > 1 and ids[0] == ids[1] == start:
            ids = ids[1:]
        return ids or [start if isinstance(start, int) else self._stops[0]]

    def _clean(self, text: str) -> str:
        """Text of others without control tokens: a problem cannot end the user's turn."""
        return self._cut_special(text).strip()

    def _cut_special(self, text: str) -> str:
        for token in self._special:
            text = text.replace(token, " ")
        return text

    def _end_of_turn(self) -> int:
        """The id that the chat template puts behind an assistant's words; else the first stop."""
        if not self._chat:
            return self._stops[0]
        turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
        made = self._ids(str(self._tokenizer.apply_chat_template(turns, tokenize=False)))
        return next((i for i in reversed(made) if i in self._stops), self._stops[0])

    def _harmless_id(self) -> int:
        """The padding id; any id that ends nothing where padding is missing or ends something."""
        pad = self._tokenizer.pad_token_id
        if isinstance(pad, int) and pad not in self._stops:
            return pad
        return next(i for i in range(len(self._stops) + 1) if i not in self._stops)
