"""Plays episodes from a synchronous client, in batches and in single calls by turns; prints the steps a second of each.

What a trainer does for each step is part of the time: it makes the message, and reads the answer.
"""

import base64
import json
import sys
import time

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

job = json.load(sys.stdin)
pool = descriptor_pool.DescriptorPool()
for file in descriptor_pb2.FileDescriptorSet.FromString(base64.b64decode(job["descriptors"])).file:
    pool.Add(file)


def message(name):
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("privgym.v1." + name))


Turn, ToolCall = message("Turn"), message("ToolCall")
StepRequest, StepBatchRequest = message("StepRequest"), message("StepBatchRequest")


def method(channel, name):
    return channel.unary_unary(
        "/privgym.v1.EnvironmentService/" + name,
        request_serializer=message(name + "Request").SerializeToString,
        response_deserializer=message(name + "Response").FromString,
    )


def request(episode, n):
    turn = episode["turns"][n]
    call = ToolCall(id="call_0", name=turn["name"], arguments=turn["arguments"])
    content = Turn(text=turn["text"], calls=[call], tokens=60, finish_reason="tool_calls")
    return StepRequest(episode_id=episode["id"], turn=n + 1, content=content)


def contents(answer):
    return [m.content for m in answer.tool_messages]


def play_batched(group):
    for n in range(len(group[0]["turns"])):
        batch = StepBatchRequest(requests=[request(e, n) for e in group])
        for result in step_batch(batch, timeout=30).results:
            assert result.status.code == 0, result.status.message
            contents(result.response)


def play_single(group):
    for n in range(len(group[0]["turns"])):
        for episode in group:
            contents(step(request(episode, n), timeout=30))


size = job["size"]
seconds = {"batched": 0.0, "single": 0.0}
with grpc.insecure_channel(job["address"]) as channel:
    grpc.channel_ready_future(channel).result(timeout=30)
    step, step_batch = method(channel, "Step"), method(channel, "StepBatch")
    for first in range(0, len(job["batched"]), size):
        for name, play in (("batched", play_batched), ("single", play_single)):
            group = job[name][first : first + size]
            start = time.perf_counter()
            play(group)
            seconds[name] += time.perf_counter() - start

steps = sum(len(e["turns"]) for e in job["single"])
print(json.dumps({name: steps / took for name, took in seconds.items()}))
