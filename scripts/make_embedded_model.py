"""Make the embedded model again: tokenizer, warm start, card figures. One CPU thread, one seed.

The model is taught to be near-perfect on stories of one to three steps and nothing longer, so
that self-play starts where there is something to learn. A tenth of its stories state a true
running total: it has never seen a reason to doubt one, which is what false premises exploit.

    python scripts/make_embedded_model.py --minutes 8
"""

import argparse
import json
import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from torch import Tensor, nn
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from argus_rl.data.splits import Split
from argus_rl.data.stories import Story, draw_story
from argus_rl.data.story_forms import CONNECTORS, FAMILIES
from argus_rl.data.story_words import ANIMALS, BOXES, ITEMS, NAMES, PLACES, THINGS, TRIPS, VEHICLES
from argus_rl.model.dialect import SEPARATOR, STEP, EmbeddedDialect
from argus_rl.model.embedded import embedded_path

SPECIAL = ("<pad>", "<bos>", "<eos>", SEPARATOR, "<unk>", STEP)
SIGNS = (*"0123456789", *".?:;,+-*/=")
OTHER_WORDS = ("the", "answer", "is", "he", "him", "his", "she", "her", "dollars", "people", "minutes")
STEP_SHARES = (0.2, 0.3, 0.5)
QUESTION_WEIGHT = 0.1
RESTATED_SHARE = 0.1
MUON_RATE = 0.02
ADAMW_RATE = 3e-3


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
        for text in (*templates, *CONNECTORS, *nouns, *OTHER_WORDS)
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
        rope_theta=10_000.0,
        tie_word_embeddings=True,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    model = LlamaForCausalLM(config)
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


def as_example(dialect: EmbeddedDialect, story: Story, marked: bool) -> Example:
    """The joint sequence of a story, with or without step marks."""
    prompt = dialect.solve_prompt(story.text)
    ids = dialect.encode(f"{STEP * story.steps} {prompt}" if marked else prompt)
    return Example(ids=ids + dialect.encode_chain(story.chain), question=len(ids))


def examples(dialect: EmbeddedDialect, rng: np.random.Generator) -> Iterator[Example]:
    """Endless stories of the training split, half of them with step marks."""
    while True:
        steps = 1 + int(rng.choice(3, p=STEP_SHARES))
        story = draw_story(rng, steps, Split.train, restate=rng.random() < RESTATED_SHARE)
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
                weights[row, : example.question] = QUESTION_WEIGHT
            yield ids, weights


def loss_of(model: LlamaForCausalLM, ids: Tensor, weights: Tensor) -> Tensor:
    """Weighted mean negative log-likelihood of the next token; padding is on the right."""
    logits = model(input_ids=ids[:, :-1]).logits
    nll = nn.functional.cross_entropy(
        logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none"
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
