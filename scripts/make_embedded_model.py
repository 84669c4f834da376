"""Make the embedded model again: tokenizer, warm start, card figures. One CPU thread, one seed.

The model is taught to be near-perfect on stories of one to three steps and nothing longer, so
that self-play starts where there is something to learn. A tenth of its stories state a true
running total: it has never seen a reason to doubt one, which is what false premises exploit. Most
hold sentences about something else as well, which a chain quotes and leaves the number as it is:
without them a model counts sentences instead of looking where it is, and cannot grow.

    python scripts/make_embedded_model.py
"""

import argparse
import json
import math
import random
import re
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from torch import Tensor, nn
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from argus_rl.core.stats.intervals import wilson
from argus_rl.data.executable import read_story
from argus_rl.data.generators import MOST_STEPS, held_out
from argus_rl.data.growth import state_sentence
from argus_rl.data.splits import Split
from argus_rl.data.stories import Story, draw_story
from argus_rl.data.story_forms import CONNECTORS, FAMILIES
from argus_rl.data.story_words import (
    ANIMALS,
    BOXES,
    ITEMS,
    NAMES,
    PLACES,
    SCENERY,
    THINGS,
    TRIPS,
    VEHICLES,
)
from argus_rl.model.dialect import SEPARATOR, STEP, EmbeddedDialect
from argus_rl.model.embedded import embedded_path
from argus_rl.text.answers import answers_match, extract_answer

SPECIAL = ("<pad>", "<bos>", "<eos>", SEPARATOR, "<unk>", STEP)
SIGNS = (*"0123456789", *".?:;,+-*/=")
OTHER_WORDS = ("the answer is", "he him his she her", "dollars people minutes")
STEP_SHARES = (0.2, 0.3, 0.5)
QUESTION_WEIGHT = 0.1
PROPOSAL_WEIGHT = 0.4
RESTATED_SHARE = 0.1
SCENERY_SHARE = 0.6
MOST_SCENERY = 6
BATCH = 16
UPDATES = 3600
MUON_RATE = 0.02
ADAMW_RATE = 3e-3
PROPOSER_TEMPERATURE = 0.9
CARD_SEED = 2026
CARD = Path(__file__).parents[1] / "docs" / "embedded_model.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A count of successes."""

    name: str
    """What was counted."""
    right: int
    """Successes."""
    n: int
    """Trials."""


def vocabulary() -> list[str]:
    """Every word of the world once, special tokens and signs first."""
    templates = [
        text
        for family in FAMILIES
        for text in (
            *family.openings,
            family.restated,
            *family.questions,
            *(form.text for form in family.forms),
        )
    ]
    nouns = (*NAMES, *ITEMS, *THINGS, *BOXES, *VEHICLES, *ANIMALS, *PLACES, *TRIPS)
    words = {
        word.lower()
        for text in (*templates, *CONNECTORS, *SCENERY, *nouns, *OTHER_WORDS)
        for word in text.split()
        if not word.startswith("{")
    }
    return [*SPECIAL, *SIGNS, *sorted(words - set(SIGNS))]


def make_tokenizer() -> PreTrainedTokenizerFast:
    """A word-level tokenizer: lower case, one token a digit, English on decoding."""
    vocab = {word: index for index, word in enumerate(vocabulary())}
    tokenizer = Tokenizer(models.WordLevel(vocab, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Punctuation(behavior="isolated"),
            pre_tokenizers.Digits(individual_digits=True),
        ]
    )
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.WordPiece(prefix="##", cleanup=False),
            decoders.Fuse(),
            decoders.Replace(Regex(r"(?<=[0-9]) (?=[0-9])"), ""),
            decoders.Replace(Regex(r" (?=[.,:;?])"), ""),
        ]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<bos> $A", pair="<bos> $A <sep> $B", special_tokens=[("<bos>", 1), ("<sep>", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        bos_token="<bos>",
        eos_token="<eos>",
        unk_token="<unk>",
        additional_special_tokens=[SEPARATOR, STEP],
        clean_up_tokenization_spaces=False,
        model_max_length=1024,
    )


def make_model(size: int, generator: torch.Generator) -> LlamaForCausalLM:
    """A Llama of 0.8 M parameters, initialised from `generator`."""
    config = LlamaConfig(
        vocab_size=size,
        hidden_size=128,
        intermediate_size=344,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=1024,
        rope_parameters={"rope_type": "default", "rope_theta": 10_000.0},
        tie_word_embeddings=True,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    model = LlamaForCausalLM(config)
    model.set_attn_implementation("eager")
    for parameter in model.parameters():
        if parameter.ndim > 1:
            nn.init.normal_(parameter, std=0.02, generator=generator)
    return model


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One joint sequence."""

    ids: list[int]
    """Tokens, start and end token included."""
    question: int
    """Length of everything up to and including the separator."""
    weight: float
    """Loss weight of the question; the chain's is 1."""


def as_example(dialect: EmbeddedDialect, story: Story, *, marked: bool) -> Example:
    """The joint sequence of a story, with or without step marks."""
    prompt = dialect.solve_prompt(story.text)
    ids = dialect.encode(f"{STEP * story.steps} {prompt}" if marked else prompt)
    weight = PROPOSAL_WEIGHT if marked else QUESTION_WEIGHT
    return Example(ids=ids + dialect.encode_chain(story.chain), question=len(ids), weight=weight)


def examples(dialect: EmbeddedDialect, rng: np.random.Generator) -> Iterator[Example]:
    """Endless stories of the training split, half of them with step marks."""
    while True:
        steps = 1 + int(rng.choice(3, p=STEP_SHARES))
        restate, idle = rng.random() < RESTATED_SHARE, rng.random() < SCENERY_SHARE
        scenery = int(rng.integers(1, MOST_SCENERY + 1)) if idle else 0
        story = draw_story(rng, steps, Split.train, restate=restate, scenery=scenery)
        yield as_example(dialect, story, marked=rng.random() < 0.5)


def batches(
    source: Iterator[Example], size: int, shuffle: random.Random
) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches of like lengths: ids `[size, T]` and the loss weight of each token `[size, T]`."""
    while True:
        window = sorted((next(source) for _ in range(size * 64)), key=lambda e: len(e.ids))
        groups = [window[i : i + size] for i in range(0, len(window), size)]
        shuffle.shuffle(groups)
        for group in groups:
            longest = max(len(e.ids) for e in group)
            ids = torch.zeros(size, longest, dtype=torch.long)
            weights = torch.zeros(size, longest)
            for row, example in enumerate(group):
                length = len(example.ids)
                ids[row, :length] = torch.tensor(example.ids)
                weights[row, :length] = 1.0
                weights[row, : example.question] = example.weight
            yield ids, weights


def loss_of(model: LlamaForCausalLM, ids: Tensor, weights: Tensor) -> Tensor:
    """Weighted mean negative log-likelihood of the next token; padding is on the right."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(input_ids=ids[:, :-1]).logits
    nll = nn.functional.cross_entropy(
        logits.float().flatten(0, 1), ids[:, 1:].flatten(), reduction="none"
    ).view_as(ids[:, 1:])
    return (nll * weights[:, 1:]).sum() / weights[:, 1:].sum()


def optimizers(model: LlamaForCausalLM) -> tuple[torch.optim.Optimizer, torch.optim.Optimizer]:
    """Muon for the hidden matrices, AdamW for embeddings and norms."""
    hidden = [p for n, p in model.named_parameters() if p.ndim == 2 and "embed" not in n]
    other = [p for n, p in model.named_parameters() if p.ndim != 2 or "embed" in n]
    return (
        torch.optim.Muon(hidden, lr=MUON_RATE, weight_decay=0.0),
        torch.optim.AdamW(other, lr=ADAMW_RATE, weight_decay=0.0),
    )


def rate(progress: float) -> float:
    """Share of the full learning rate: short warm-up, flat, then linear decay to 2 %."""
    return min(1.0, progress / 0.01 + 0.05, max(0.02, 2.0 * (1.0 - progress)))


def train(
    model: LlamaForCausalLM, data: Iterator[tuple[Tensor, Tensor]], seconds: float, steps: int
) -> dict[str, float]:
    """Train until `steps` updates are done, or `seconds` have passed where `steps` is 0."""
    begin, done, recent = time.monotonic(), 0, 0.0
    optims = optimizers(model)
    peaks = (MUON_RATE, ADAMW_RATE)
    while True:
        elapsed = time.monotonic() - begin
        progress = done / steps if steps else elapsed / seconds
        if progress >= 1.0:
            return {"updates": done, "train_seconds": round(elapsed, 1), "last_loss": recent}
        for optim, peak in zip(optims, peaks, strict=True):
            for group in optim.param_groups:
                group["lr"] = peak * rate(progress)
        loss = loss_of(model, *next(data))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optim in optims:
            optim.step()
            optim.zero_grad(set_to_none=True)
        done += 1
        recent = loss.item() if done == 1 else 0.98 * recent + 0.02 * loss.item()
        if not math.isfinite(recent):
            raise FloatingPointError(f"the loss is {recent} after {done} updates")
        if done % 200 == 0:
            print(f"{elapsed:6.0f} s  update {done:6d}  loss {recent:.4f}", flush=True)


def respond(
    model: LlamaForCausalLM, dialect: EmbeddedDialect, prompts: list[str], stops: tuple[int, ...]
) -> list[str]:
    """Greedy responses to prompts, in left-padded batches of like lengths."""
    encoded = [dialect.encode(prompt) for prompt in prompts]
    order = sorted(range(len(encoded)), key=lambda i: len(encoded[i]))
    responses = [""] * len(encoded)
    for begin in range(0, len(order), 100):
        part = order[begin : begin + 100]
        longest = max(len(encoded[i]) for i in part)
        ids = torch.tensor(
            [[dialect.padding] * (longest - len(encoded[i])) + encoded[i] for i in part]
        )
        out = model.generate(  # pyright: ignore[reportAttributeAccessIssue]  stubs lag behind
            input_ids=ids,
            attention_mask=(ids != dialect.padding).long(),
            max_new_tokens=400,
            do_sample=False,
            eos_token_id=list(stops),
        )
        for i, row in zip(part, out.tolist(), strict=True):
            responses[i] = dialect.decode(row[longest:])
    return responses


def solving(model: LlamaForCausalLM, dialect: EmbeddedDialect, per_level: int) -> list[Figure]:
    """Greedy accuracy on held-out problems, level by level."""
    figures: list[Figure] = []
    for steps in range(1, MOST_STEPS + 1):
        problems, key = held_out((steps,), per_level, CARD_SEED, Split.held_out)
        prompts = [dialect.solve_prompt(problem.text) for problem in problems]
        answers = map(extract_answer, respond(model, dialect, prompts, dialect.chain_stops))
        right = sum(
            answers_match(answer, key.gold(problem.id))
            for answer, problem in zip(answers, problems, strict=True)
        )
        figures.append(Figure(name=str(steps), right=right, n=per_level))
        print(f"{steps} steps: {right} of {per_level}", flush=True)
    return figures


def sampled(
    model: LlamaForCausalLM, dialect: EmbeddedDialect, prompt: str, count: int, seed: int
) -> list[str | None]:
    """Proposals sampled from one prompt at temperature 0.9."""
    generator = torch.Generator().manual_seed(seed)
    start = torch.tensor([dialect.encode(prompt)] * count)
    rows: list[list[int]] = [[] for _ in range(count)]
    alive = torch.ones(count, dtype=torch.bool)
    ids, cache = start, None
    with torch.no_grad():
        while alive.any() and len(rows[0]) < 200:
            out = model(input_ids=ids, past_key_values=cache, use_cache=True)
            cache = out.past_key_values
            shares = (out.logits[:, -1] / PROPOSER_TEMPERATURE).softmax(-1)
            ids = torch.multinomial(shares, 1, generator=generator)
            for row, token in zip(rows, ids[:, 0].tolist(), strict=True):
                row.append(token)
            alive &= ~torch.isin(ids[:, 0], torch.tensor(dialect.proposal_stops))
    stops = set(dialect.proposal_stops)
    cut = [next((i for i, t in enumerate(row) if t in stops), len(row)) for row in rows]
    texts = [dialect.decode(row[:end]) for row, end in zip(rows, cut, strict=True)]
    return [dialect.read_proposal(prompt, text) for text in texts]


def proposing(model: LlamaForCausalLM, dialect: EmbeddedDialect, count: int) -> list[Figure]:
    """How many proposals are sound stories, and how many have as many steps as asked for."""
    sound = right = 0
    for steps in (1, 2, 3):
        texts = sampled(model, dialect, dialect.propose_prompt(steps), count, CARD_SEED + steps)
        readings = [read_story(text) if text is not None else None for text in texts]
        sound += sum(reading is not None for reading in readings)
        right += sum(reading is not None and reading.steps == steps for reading in readings)
    grown_sound = grown = 0
    for index in range(4):
        story = draw_story(np.random.default_rng(CARD_SEED + index), 3, Split.held_out)
        state = str(state_sentence(story.text, story.answer))
        texts = sampled(model, dialect, dialect.grow_prompt(state), count // 4, CARD_SEED + index)
        readings = [read_story(text) if text is not None else None for text in texts]
        grown_sound += sum(reading is not None and reading.steps == 1 for reading in readings)
        grown += len(texts)
    return [
        Figure(name="fresh proposals that are sound stories", right=sound, n=3 * count),
        Figure(name="fresh proposals with the steps asked for", right=right, n=3 * count),
        Figure(name="growth by exactly one sound step", right=grown_sound, n=grown),
    ]


def table(figures: list[Figure], first: str) -> str:
    """A Markdown table of shares with their Wilson intervals."""
    lines = [f"| {first} | right / n | share | 95 % interval |", "|---|---|---|---|"]
    for figure in figures:
        share = wilson(figure.right, figure.n)
        ends = f"{share.interval.low:.3f} to {share.interval.high:.3f}"
        lines.append(
            f"| {figure.name} | {figure.right} / {figure.n} | {share.value:.3f} | {ends} |"
        )
    return "\n".join(lines)


def fill_card(card: Path, figures: dict[str, object], tables: dict[str, str]) -> None:
    """Put the figures between the card's markers, leaving its prose as it is."""
    text = card.read_text(encoding="utf-8")
    for name, content in (tables | {k: f"`{v}`" for k, v in figures.items()}).items():
        pattern = re.compile(rf"(<!-- {name} -->)(.*?)(<!-- end -->)", re.DOTALL)
        text = pattern.sub(lambda m, c=content: f"{m[1]}{_framed(c)}{m[3]}", text)
    card.write_text(text, encoding="utf-8")


def _framed(content: str) -> str:
    return f"\n\n{content}\n\n" if content.startswith("|") else content


def main() -> None:
    """Train, save, measure, and fill in the card."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--steps", type=int, default=UPDATES, help="updates of the warm start")
    parser.add_argument("--minutes", type=float, help="train for a time instead of --steps")
    parser.add_argument("--seed", type=int, default=0, help="seed of weights and data")
    parser.add_argument("--out", type=Path, default=embedded_path(), help="folder to write")
    parser.add_argument("--items", type=int, default=300, help="held-out problems a level")
    parser.add_argument("--card", type=Path, default=CARD, help="card whose figures are filled in")
    args = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = make_tokenizer()
    dialect = EmbeddedDialect(tokenizer)
    model = make_model(len(tokenizer), torch.Generator().manual_seed(args.seed))
    source = examples(dialect, np.random.default_rng(args.seed))
    data = batches(source, BATCH, random.Random(args.seed))
    steps = 0 if args.minutes else args.steps
    trained = train(model, data, 60.0 * (args.minutes or 0.0), steps)
    model.eval().save_pretrained(args.out)
    tokenizer.save_pretrained(args.out)
    accuracy, proposals = solving(model, dialect, args.items), proposing(model, dialect, args.items)
    figures: dict[str, object] = {
        "seed": args.seed,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "examples": trained["updates"] * BATCH,
        **trained,
    }
    results = {"accuracy": accuracy, "proposals": proposals}
    record = figures | {name: [asdict(f) for f in rows] for name, rows in results.items()}
    (args.out / "figures.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if args.card.exists():
        fill_card(
            args.card,
            figures,
            {"accuracy": table(accuracy, "steps"), "proposals": table(proposals, "what")},
        )


if __name__ == "__main__":
    main()
