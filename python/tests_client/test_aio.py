"""The client for asyncio does what the blocking one does."""

import asyncio
import gc
import inspect
import pickle

import grpc.aio
import pytest
from conftest import DONE, GROUP, ONCE, SCENARIO, TIERS, call, trajectories
from grpc import StatusCode
from scripted import scripted

import privgym
from privgym._channel import PerProcess


def test_it_offers_the_same():
    def offers(kind):
        return {
            name: inspect.signature(f)
            for name, f in inspect.getmembers(kind, inspect.isfunction)
            if not name.startswith("_") or name == "__init__"
        }

    assert offers(privgym.aio.Client) == offers(privgym.Client)


def test_a_group(server, client):
    async def member(ours, turns):
        episode = await ours.reset(SCENARIO, seed=7, options=ONCE)
        for turn in turns:
            await ours.step(episode, turn)
        return (await ours.score(episode)).outcome.tier

    async def group():
        async with privgym.aio.Client(server.address) as ours:
            tiers = await asyncio.gather(*(member(ours, turns) for turns, _ in GROUP))
            return tiers, await ours.score_trajectories(trajectories()), await ours.rank_group(trajectories())

    tiers, scores, ranked = asyncio.run(group())
    assert tiers == TIERS
    assert scores == client.score_trajectories(trajectories())
    assert ranked == client.rank_group(trajectories())


def test_batches_and_lists(server, client):
    async def batches():
        ours = privgym.aio.Client(server.address)
        opened = await ours.reset_batch([privgym.Start(SCENARIO, seed=7, options=ONCE)] * 3)
        await ours.step_batch((e, call()) for e in opened)
        scores = await ours.score_batch(opened)
        await ours.close_episodes(opened)
        listed, described = await ours.list_scenarios("rl"), await ours.describe()
        await ours.close()
        return scores, listed, described

    scores, listed, described = asyncio.run(batches())
    assert [s.outcome.tier for s in scores] == ["honest_partial"] * 3
    assert listed == client.list_scenarios("rl") and described == client.describe()


def test_one_client_in_several_loops(server):
    ours = pickle.loads(pickle.dumps(privgym.aio.Client(server.address)))
    for _ in range(2):
        assert asyncio.run(ours.describe()).version


def test_connections_go_with_their_loops(server):
    def channels():
        gc.collect()
        return sum(isinstance(o, grpc.aio.Channel) for o in gc.get_objects())

    ours, before = privgym.aio.Client(server.address), channels()
    for _ in range(5):
        asyncio.run(ours.describe())
    assert channels() - before <= 1


def test_loops_side_by_side_keep_their_connections():
    made = PerProcess(lambda address: object())
    one, two, three = (asyncio.new_event_loop() for _ in range(3))
    first = made.get("a:1", one)
    assert made.get("a:1", two) is not first
    assert made.get("a:1", one) is first
    two.close()
    made.get("a:1", three)
    assert made.take(one) == [first] and made.take(two) == []
    one.close()
    three.close()


def test_failures():
    async def describe(address, **settings):
        async with privgym.aio.Client(address, **settings) as ours:
            return await ours.describe()

    with scripted(StatusCode.UNAVAILABLE) as (server, address):
        assert asyncio.run(describe(address)).version == "scripted"
        assert server.asked == 2
    with scripted(delay=2.0) as (_, address), pytest.raises(privgym.DeadlineExceeded):
        asyncio.run(describe(address, timeout=0.2))


def test_a_killed_replica():
    async def through(killed, other):
        ours = privgym.aio.Client([killed.address, other.address])
        episodes = [await ours.reset(SCENARIO, seed=7, options=ONCE) for _ in range(8)]
        await asyncio.gather(*(ours.step(e, call()) for e in episodes))
        killed.kill()
        await asyncio.gather(*(ours.step(e, call()) for e in episodes))
        steps = await asyncio.gather(*(ours.step(e, DONE) for e in episodes))
        return [s.outcome.tier for s in steps]

    with privgym.serve() as one, privgym.serve() as two:
        assert asyncio.run(through(one, two)) == ["low_clean"] * 8
