"""What a run is made of: model, data, sampling, learner, evaluation, tracking, control system."""

from dataclasses import dataclass
from enum import StrEnum

from argus_rl.config.control import ControlSettings
from argus_rl.core.values import Settings


class Proposing(StrEnum):
    """How problems are proposed."""

    fresh = "fresh"
    """New problems, written from the target number of steps."""
    vary = "vary"
    """Variations of context texts."""
    grow = "grow"
    """Solved problems grown by one step, whose new step alone is put to the vote."""


class ModelKind(StrEnum):
    """Where the model comes from."""

    embedded = "embedded"
    """The small model shipped with the package."""
    hf = "hf"
    """A causal language model from a folder, a GGUF file or a hub id, with LoRA roles."""
    scripted = "scripted"
    """No model at all: canned responses, for tests and demonstrations of the control flow."""


class DataKind(StrEnum):
    """Where context texts and held-out problems come from."""

    generated = "generated"
    """Procedural word problems, shipped with the package."""
    gsm8k = "gsm8k"
    """JSON Lines of GSM8K (a folder, or the hub)."""
    jsonl = "jsonl"
    """Any JSON Lines files with `question` and `answer`."""


class TrackingMode(StrEnum):
    """Where figures go besides the ledger."""

    off = "off"
    offline = "offline"
    online = "online"


class TeacherMode(StrEnum):
    """Whose chains label the new step in mode `grow`."""

    frozen = "frozen"
    """The starting model."""
    present = "present"
    """The model as it is now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings(Settings):
    """The model and its adapters."""

    kind: ModelKind = ModelKind.embedded
    """Where the model comes from."""
    path: str = ""
    """Folder, GGUF file or hub id; needed by `kind=hf`."""
    dtype: str = "auto"
    """`auto`, `float32` or `bfloat16`."""
    device: str = "auto"
    """`auto`, `cpu` or `cuda`."""
    threads: int = 0
    """CPU threads; 0 leaves the choice to PyTorch."""
    lora_rank: int = 16
    """Rank of both adapters."""
    lora_alpha: int = 32
    """Scale of the adapters: their product is multiplied by alpha / rank."""
    lora_dropout: float = 0.0
    """Dropout on the adapters' inputs while training."""
    chat: bool = True
    """Use the tokenizer's chat template where it has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings(Settings):
    """Context texts and held-out problems."""

    kind: DataKind = DataKind.generated
    """Where texts and problems come from."""
    path: str = ""
    """Folder with `*_train.jsonl` and `*_test.jsonl`; empty takes the hub (`gsm8k`)."""
    context_limit: int = 512
    """External texts in the pool."""
    context_steps: tuple[int, ...] = (1, 2, 3)
    """Steps of generated context texts."""
    false_premises: float = 0.0
    """Share of proposals that the lab replaces by false-premise texts, in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingSettings(Settings):
    """Proposing and solving."""

    proposing: Proposing = Proposing.fresh
    """How problems are proposed: fresh ones, variations of context, or solved ones grown."""
    proposals: int = 64
    """Proposals per episode."""
    chains: int = 8
    """k: chains per problem (given)."""
    max_tokens: int = 160
    """Response tokens per chain."""
    proposal_tokens: int = 96
    """Tokens per proposal."""
    temperature: float = 0.7
    """Of chains."""
    proposal_temperature: float = 0.9
    """Of proposals."""
    external_context_rate: float = 0.5
    """Probability that a proposal is conditioned on an external text (given)."""
    blind_spot_rate: float = 0.5
    """Probability that a blind spot takes an external text's place, where one exists (given)."""
    grow_to: int = 8
    """Mode `grow`: steps of the longest problem that growth may make."""
    grow_by: int = 1
    """Mode `grow`: most steps that are added at once; as many as the starting model masters."""
    redrafts: int = 0
    """Times that a request is repeated whose response is no problem, or does not fit its base."""
    frontier_steps: int = 3
    """Steps of reasoning that proposals are asked to need (given)."""
    label_agreement: float = 0.5
    """Mode `grow`: agreement on the new step below which its label is not believed."""
    teacher: TeacherMode = TeacherMode.frozen
    """Mode `grow`: whose chains label the new step."""
    batch: int = 512
    """Rows that are generated at a time; it bounds memory and changes no text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerSettings(Settings):
    """The update at the end of an episode."""

    updates: int = 0
    """Most optimizer steps per episode; 0 sets no limit but `passes`."""
    passes: float = 2.0
    """Most times that an update sees each pair of its lesson, its replay and its anchors. What is
    seen over and over is learned by heart, at the cost of what it is not about."""
    batch: int = 16
    """Sequences per optimizer step."""
    micro_batch: int = 16
    """Sequences per forward pass; changes memory, not the result."""
    lr: float = 1e-4
    """AdamW's peak learning rate."""
    muon_lr: float = 0.0
    """Muon's peak rate for hidden matrices of the embedded model; 0 gives them to AdamW."""
    weight_decay: float = 0.0
    """Decoupled weight decay of either optimizer."""
    warmup: float = 0.02
    """Share of the run over which the learning rate rises."""
    decay: float = 0.4
    """Share of the run, at its end, over which the learning rate falls to a tenth."""
    rise: float = 0.1
    """Share of each update, at its start, over which the learning rate rises: an optimizer without
    moments takes its first steps at full size in every direction."""
    cool: float = 0.5
    """Share of each update, at its end, over which the learning rate falls to a tenth, so that the
    weights that are judged are settled ones."""
    clip: float = 1.0
    """Largest gradient norm."""
    replay_mix: float = 0.25
    """Share of each update drawn from the replay memory (given)."""
    replay_memory: int = 64
    """Pairs in the replay memory (given)."""
    library_mix: float = 0.0
    """Share of each update drawn from earlier problems of the library that were not mastered."""
    recombined_mix: float = 0.0
    """Share of each update drawn from new problems that are made of two solved ones."""
    anchor_mix: float = 0.0
    """Share of each update drawn from easy problems that the starting model solved."""
    anchors: int = 0
    """Easy context texts that the starting model solves before the first episode."""
    question_weight: float = 0.1
    """Loss weight of question tokens against chain tokens (one joint sequence)."""
    max_bad_steps: int = 5
    """Non-finite steps in a row that stop the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSettings(Settings):
    """The held-out evaluation before and after."""

    per_level: int = 50
    """Held-out problems per number of steps (generated data)."""
    levels: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8)
    """Numbers of steps (generated data)."""
    easy_levels: tuple[int, ...] = (1, 2, 3)
    """Levels that count as easy in the verdict: those the embedded model was warm-started on."""
    limit: int = 200
    """Held-out problems (file data)."""
    samples: int = 8
    """Sampled chains per problem, besides the greedy one."""
    seed: int = 0
    """Names the held-out draw and its sampling streams: the same for every run seed."""
    split: str = "held_out"
    """`held_out`, or `choosing` while you tune: never choose on what you report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackingSettings(Settings):
    """wandb; the ledger is written in any case."""

    mode: TrackingMode = TrackingMode.off
    """Off, offline (files on disk) or online."""
    project: str = "argus_rl"
    """Project that the run appears in."""
    name: str = ""
    """Name of the run; empty takes that of its folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings(Settings):
    """One run."""

    preset: str = "baseline"
    """Name of the preset, for tables."""
    seed: int = 0
    """Every stream of randomness of the run derives from it."""
    episodes: int = 3
    """Episodes; each may end in a refused update."""
    run_dir: str = ""
    """Where the run is written; empty makes `runs/PRESET-seedN-TIME`."""
    resume: str = ""
    """Folder of a run to go on with."""
    audit: bool = True
    """Measure label accuracy on problems with executable truth (written aside; never read back)."""
    audit_per_level: int = 0
    """Audit problems per level that every update is examined on, before and after (generated data);
    0 examines none. It costs time and changes nothing."""
    keep_checkpoints: int = 2
    """Newest checkpoints that are kept."""
    model: ModelSettings = ModelSettings()
    data: DataSettings = DataSettings()
    sampling: SamplingSettings = SamplingSettings()
    learner: LearnerSettings = LearnerSettings()
    control: ControlSettings = ControlSettings()
    evaluation: EvaluationSettings = EvaluationSettings()
    tracking: TrackingSettings = TrackingSettings()
