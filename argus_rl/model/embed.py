"""Where a text lies: the mean last hidden state under the frozen base, as a unit vector.

The base never moves, so a map of texts made early in a run is the map at its end.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from argus_rl.model.policy import Policy, PolicyRole
from argus_rl.model.score import last_hidden


def embed(policy: Policy, texts: Sequence[Sequence[int]], batch: int = 64) -> NDArray[np.float32]:
    """Return unit embeddings `[n, d]` of token ids, in the order given.

    Args:
        policy: Whose base looks; adapters are off.
        texts: Token ids of each text; none empty.
        batch: Texts per forward pass; changes memory, not the result.

    Raises:
        ValueError: for an empty text.
    """
    if any(len(ids) == 0 for ids in texts):
        raise ValueError("a text without tokens has no embedding")
    width = policy.module.config.get_text_config().hidden_size
    found = np.zeros((len(texts), width), dtype=np.float32)
    order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
    with policy.using(PolicyRole.base) as module, torch.inference_mode():
        for start in range(0, len(order), batch):
            part = order[start : start + batch]
            longest = len(texts[part[-1]])
            padded = [
                [*texts[i], *[policy.dialect.padding] * (longest - len(texts[i]))] for i in part
            ]
            lengths = torch.tensor([len(texts[i]) for i in part], device=module.device)
            hidden = last_hidden(module, torch.tensor(padded).to(module.device)).float()
            real = torch.arange(longest, device=module.device) < lengths[:, None]
            means = (hidden * real[..., None]).sum(1) / lengths[:, None]
            found[part] = torch.nn.functional.normalize(means, dim=-1).cpu().numpy()
    return found
