"""From settings to a policy: the embedded model, or any causal language model of transformers.

A model is a folder, one GGUF file, or the id of a hub repository. What cannot be loaded is one line
that says what to change, never a traceback from inside a library. Adapters start as the identity
(`B = 0`) and their fixed projections come from a named stream, so two runs with equal settings
start from equal bytes.
"""

import copy
import ctypes
import platform
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import torch
from huggingface_hub.errors import HfHubHTTPError
from peft import LoraConfig, PeftModel, get_peft_model
from torch import Tensor, nn
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.utils import logging as transformers_logging

from argus_rl.config.run import ModelKind, ModelSettings
from argus_rl.core.errors import ModelError
from argus_rl.core.rng import derive_seed
from argus_rl.model.chat import ChatDialect
from argus_rl.model.dialect import EmbeddedDialect
from argus_rl.model.embedded import embedded_path
from argus_rl.model.policy import Policy, PolicyRole
from argus_rl.model.score import last_hidden, output_head

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
KEPT_BYTES = 2**30
"""Freed memory below this stays with the process; see `keep_freed_memory`."""


def load_policy(settings: ModelSettings) -> Policy:
    """Load a model and dress it for both roles.

    Args:
        settings: What to load and how; `kind=scripted` has no weights and is refused here.

    Raises:
        ModelError: one line with what to change, where the model cannot be had as asked.
    """
    device = _device(settings.device)
    if settings.threads > 0:
        torch.set_num_threads(settings.threads)
    keep_freed_memory()
    if settings.kind is ModelKind.embedded:
        return _load_embedded(settings, device)
    if settings.kind is ModelKind.hf:
        return _load_adapted(settings, device)
    raise ModelError("model.kind=scripted has no weights to load; choose embedded or hf")


def keep_freed_memory() -> bool:
    """Ask glibc not to hand large freed blocks back to the system; return whether it agreed.

    By default each large tensor is mapped and unmapped anew, and page faults then cost more than
    the arithmetic (up to a factor of three in decoding on CPUs). Elsewhere than glibc nothing
    happens.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    library = ctypes.CDLL(None)
    return all(
        library.mallopt(ctypes.c_int(option), ctypes.c_int(KEPT_BYTES)) == 1
        for option in (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD)
    )


def _device(name: str) -> torch.device:
    if name not in {"auto", "cpu", "cuda"}:
        raise ModelError(f"model.device={name} is unknown; choose auto, cpu or cuda")
    if name == "cuda" and not torch.cuda.is_available():
        raise ModelError("model.device=cuda, but PyTorch sees no CUDA device; use model.device=cpu")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


def _dtype(name: str, device: torch.device) -> torch.dtype:
    if name == "auto":
        return torch.bfloat16 if device.type == "cuda" else torch.float32
    if name not in DTYPES:
        raise ModelError(f"model.dtype={name} is unknown; choose auto, float32 or bfloat16")
    return DTYPES[name]


def _load_embedded(settings: ModelSettings, device: torch.device) -> Policy:
    if settings.dtype == "bfloat16":
        raise ModelError("the embedded model trains all its weights: use model.dtype=float32")
    _dtype(settings.dtype, device)
    folder = embedded_path()
    if not (folder / "config.json").is_file():
        raise ModelError(
            f"the embedded model's weights are missing from {folder}; reinstall the package or "
            "make them with scripts/make_embedded_model.py"
        )
    module, tokenizer = _read(str(folder), None, torch.float32)
    _move(module, device)
    base = copy.deepcopy(module).requires_grad_(requires_grad=False)
    return Policy(module=module, tokenizer=tokenizer, dialect=EmbeddedDialect(tokenizer), base=base)


def _load_adapted(settings: ModelSettings, device: torch.device) -> Policy:
    _check_adapter(settings)
    source, gguf = _locate(settings.path)
    module, tokenizer = _read(source, gguf, _dtype(settings.dtype, device))
    _move(module, device)
    _check_head(module)
    dialect = ChatDialect(tokenizer, stops=_stops(module, tokenizer), chat=settings.chat)
    return adapt(module, tokenizer, dialect, settings)


def adapt(
    module: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    dialect: ChatDialect | EmbeddedDialect,
    settings: ModelSettings,
) -> Policy:
    """Put adapters `solver` and `proposer`, both the identity, on a net that is frozen from now on.

    Every linear map inside the blocks gets one, in float32. Their projections `A` are uniform with
    variance 1 / (3 fan-in), PEFT's own start, from a stream named by role and place.
    """
    config = LoraConfig(
        r=settings.lora_rank,
        lora_alpha=settings.lora_alpha,
        lora_dropout=settings.lora_dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
        init_lora_weights=False,
    )
    with _quiet_generator():
        adapters = get_peft_model(module, config, adapter_name=PolicyRole.solver.value)
        adapters.add_adapter(PolicyRole.proposer.value, copy.deepcopy(config))
    if not isinstance(adapters, PeftModel):
        raise ModelError(f"PEFT cannot put adapters on {type(module).__name__}")
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if ".lora_A." in name:
                parameter.copy_(_projection(name, parameter))
            elif ".lora_B." in name:
                parameter.zero_()
    module.eval()
    return Policy(module=module, tokenizer=tokenizer, dialect=dialect, adapters=adapters)


def _projection(name: str, like: Tensor) -> Tensor:
    bound = like.shape[1] ** -0.5
    generator = torch.Generator().manual_seed(derive_seed("lora_A", name))
    return (torch.rand(like.shape, generator=generator) * 2 - 1).mul_(bound)


@contextmanager
def _quiet_generator() -> Generator[None, None, None]:
    """Give the global generator back as it was: PEFT draws initial values that are overwritten."""
    with torch.random.fork_rng(devices=[]):
        yield


def _check_adapter(settings: ModelSettings) -> None:
    if settings.lora_rank < 1:
        raise ModelError(f"model.lora_rank={settings.lora_rank} must be at least 1")
    if settings.lora_alpha < 1:
        raise ModelError(f"model.lora_alpha={settings.lora_alpha} must be at least 1")
    if not 0 <= settings.lora_dropout < 1:
        raise ModelError(f"model.lora_dropout={settings.lora_dropout} must be in [0, 1)")


def _locate(path: str) -> tuple[str, str | None]:
    """Return what transformers calls the model, and the GGUF file in it, if it is one."""
    if not path:
        raise ModelError("model.kind=hf needs model.path: a folder, a GGUF file or a hub id")
    place = Path(path).expanduser()
    if place.is_file():
        if place.suffix != ".gguf":
            raise ModelError(f"model.path={path} is a file, but not a .gguf one; give its folder")
        return str(place.parent), place.name
    if place.is_dir():
        if not (place / "config.json").is_file():
            raise ModelError(f"model.path={path} holds no config.json: it is no model folder")
        return str(place), None
    looks_local = place.is_absolute() or path.startswith((".", "~")) or path.count("/") > 1
    if looks_local or place.suffix == ".gguf":
        raise ModelError(f"model.path={path} does not exist; check the path")
    return path, None


def _move(module: nn.Module, device: torch.device) -> None:
    try:
        module.to(device)
    except torch.OutOfMemoryError as error:
        raise ModelError(
            "the model does not fit into the GPU's memory; use model.device=cpu or a smaller one"
        ) from error


def _read(
    source: str, gguf: str | None, dtype: torch.dtype
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    files = {} if gguf is None else {"gguf_file": gguf}
    name = source if gguf is None else f"{source}/{gguf}"
    transformers_logging.disable_progress_bar()
    tokenizer = _read_tokenizer(source, name, files)
    try:
        module = AutoModelForCausalLM.from_pretrained(source, dtype=dtype, **files)
    except ImportError as error:
        raise ModelError(f"{name} needs a package that is not installed: {_line(error)}") from error
    except (OSError, HfHubHTTPError) as error:
        raise ModelError(_unreachable(name, error)) from error
    except (ValueError, KeyError, RuntimeError) as error:
        raise ModelError(
            f"{name} is not a causal language model that transformers can load: {_line(error)}"
        ) from error
    if gguf is not None:
        _forget_quantization(module)
    known = len(tokenizer)
    rows = module.config.get_text_config().vocab_size
    if known > rows:
        raise ModelError(
            f"{name}: the tokenizer knows {known} tokens but the model only {rows}; "
            "they do not belong together"
        )
    return module.eval(), tokenizer


def _read_tokenizer(source: str, name: str, files: dict[str, str]) -> PreTrainedTokenizerBase:
    try:
        return AutoTokenizer.from_pretrained(source, **files)
    except ImportError as error:
        raise ModelError(f"{name} needs a package that is not installed: {_line(error)}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        if not Path(source).exists():
            raise ModelError(_unreachable(name, error)) from error
        raise ModelError(
            f"{name} has no tokenizer that transformers can load; "
            "put tokenizer.json and tokenizer_config.json beside the weights"
        ) from error


def _forget_quantization(module: PreTrainedModel) -> None:
    """A GGUF file is dequantized on load; without this it could not be saved or adapted."""
    for place in ("hf_quantizer", "quantization_method"):
        module.__dict__.pop(place, None)
    module.__dict__["is_quantized"] = False
    module.config.__dict__.pop("quantization_config", None)


def _unreachable(name: str, error: Exception) -> str:
    if Path(name).exists():
        return f"{name} cannot be read: {_line(error)}"
    return (
        f"model.path={name} is no local folder, and the hub gave nothing for it; check the name "
        f"and the network, or give a folder ({_line(error)})"
    )


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _stops(module: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> tuple[int, ...]:
    """Every id that ends a response: the generation configuration may name several."""
    config = module.generation_config
    named = None if config is None else config.eos_token_id
    listed = named if isinstance(named, list) else [named]
    ends = [i for i in [tokenizer.eos_token_id, *listed] if isinstance(i, int)]
    if not ends:
        raise ModelError(
            f"{module.config.name_or_path} names no end-of-sequence token; "
            "set eos_token in its tokenizer_config.json"
        )
    return tuple(dict.fromkeys(ends))


def _check_head(module: PreTrainedModel) -> None:
    """Refuse nets that change their logits behind the output head: losses would be wrong."""
    head = output_head(module)
    ids = torch.arange(1, 5, device=module.device)[None]
    with torch.inference_mode():
        whole = module(input_ids=ids).logits.float()
        parts = head(last_hidden(module, ids)).float()
    if not torch.allclose(whole, parts, rtol=1e-2, atol=1e-2):
        raise ModelError(
            f"{type(module).__name__} transforms its logits after the output head "
            "(scaling or soft-capping); choose a model that does not"
        )
