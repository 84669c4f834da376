"""The model that ships with the package, made by `scripts/make_embedded_model.py`.

A folder as any other that transformers loads (configuration, safetensors, tokenizer); what it can
and cannot do is in `docs/embedded_model.md`.
"""

from pathlib import Path


def embedded_path() -> Path:
    """Folder of the embedded model's weights, tokenizer and configuration."""
    return Path(__file__).with_name("embedded_weights")
