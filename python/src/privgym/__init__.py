"""Client of privgym: environments that train agents to use the least privileged tool that suffices.

    import privgym

    with privgym.serve() as server, privgym.Client(server.address) as client:
        episode = client.reset("gov-se-parcel-use/1.1", seed=7)
        step = client.step(episode, privgym.Turn(text="I leave it as it is."))
        print(client.score(episode).outcome.tier)

`privgym.aio` has the client for asyncio, `privgym.trl` fits TRL's trainers, `privgym.sft` reads
what `privgym sft` wrote.
"""

import os as _os

# gRPC takes care of forks only where it is told so before it is loaded.
_os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "1")

from . import aio
from ._channel import TLS
from .client import Client
from .errors import (
    AlreadyExists,
    DeadlineExceeded,
    Error,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    ResourceExhausted,
    Unauthenticated,
    Unavailable,
)
from .serving import Server, serve
from .types import (
    Blast,
    Description,
    Episode,
    Group,
    Limits,
    Message,
    Options,
    Outcome,
    RankedMember,
    Reward,
    Scenario,
    Score,
    Split,
    Start,
    Step,
    Term,
    Tool,
    ToolCall,
    ToolMessage,
    Trajectory,
    Turn,
)

__all__ = [
    "TLS",
    "AlreadyExists",
    "Blast",
    "Client",
    "DeadlineExceeded",
    "Description",
    "Episode",
    "Error",
    "FailedPrecondition",
    "Group",
    "InvalidArgument",
    "Limits",
    "Message",
    "NotFound",
    "Options",
    "Outcome",
    "RankedMember",
    "ResourceExhausted",
    "Reward",
    "Scenario",
    "Score",
    "Server",
    "Split",
    "Start",
    "Step",
    "Term",
    "Tool",
    "ToolCall",
    "ToolMessage",
    "Trajectory",
    "Turn",
    "Unauthenticated",
    "Unavailable",
    "aio",
    "serve",
]
