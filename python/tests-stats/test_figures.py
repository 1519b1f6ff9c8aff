"""The statistics of reward/stats against scipy and statsmodels, and those of episodes against a second reading of
docs/reward.md. The cases are drawn by `go run ./reward/stats/internal/figures`."""

import gc
import json
import math
import os
import pathlib
import subprocess

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.api import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

ROOT = pathlib.Path(__file__).parents[2]
Z = stats.norm.ppf(0.975)


@pytest.fixture(scope="session")
def figures():
    """All cases by kind."""
    out = subprocess.run(
        [os.environ.get("GO", "go"), "run", "./reward/stats/internal/figures"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    by_kind = {}
    for line in out.splitlines():
        case = json.loads(line)
        by_kind.setdefault(case["kind"], []).append((case["input"], case["answer"]))
    return by_kind


def agree(cases, reference, tolerance):
    """Compares every answer with that of the reference, which gives None where there is no value."""
    assert len(cases) >= 300
    worst = 0.0
    for given, ours in cases:
        theirs = reference(given)
        assert len(ours) == len(theirs), given
        for a, b in zip(ours, theirs, strict=True):
            if a is None or b is None:
                assert a is None and b is None, (given, ours, theirs)
                continue
            worst = max(worst, abs(a - b))
            assert abs(a - b) <= tolerance, (given, ours, theirs)
    print(f"{len(cases)} cases agree within {worst:.1e}")


def test_wilson(figures):
    def reference(case):
        hits, n = case
        if n == 0:
            return [None] * 3
        interval = stats.binomtest(hits, n).proportion_ci(method="wilson")
        low, high = proportion_confint(hits, n, method="wilson")
        assert math.isclose(low, interval.low, abs_tol=1e-12) and math.isclose(high, interval.high, abs_tol=1e-12)
        return [hits / n, low, high]

    agree(figures["wilson"], reference, 1e-12)


def cluster_variance(rows, groups):
    """Variance of a mean whose rows resemble each other in groups, from a regression on a constant."""
    return OLS(rows, np.ones(len(rows))).fit(cov_type="cluster", cov_kwds={"groups": groups}).cov_params()[0, 0]


def test_clustered(figures):
    def reference(clusters):
        rows = np.concatenate([np.r_[np.ones(c["Hits"]), np.zeros(c["N"] - c["Hits"])] for c in clusters])
        groups = np.repeat(np.arange(len(clusters)), [c["N"] for c in clusters])
        p, n = rows.mean(), len(rows)
        if len(clusters) == 1:
            return [p, 0, 1]
        effect = 1.0
        if 0 < p < 1:
            effect = max(1.0, cluster_variance(rows, groups) / (p * (1 - p) / n))
        t = stats.t.ppf(0.975, len(clusters) - 1)

        def distance(q):  # 0 where a score test just rejects q
            return (p - q) ** 2 - t**2 * q * (1 - q) * effect / n

        off = 1e-9  # where p is 0 or 1, that is a second root
        low = 0.0 if p == 0 else optimize.brentq(distance, 0, p - off, xtol=1e-14)
        high = 1.0 if p == 1 else optimize.brentq(distance, p + off, 1, xtol=1e-14)
        return [p, low, high]

    agree(figures["clustered"], reference, 1e-12)


def test_mcnemar(figures):
    def reference(case):
        b, c = case
        return [mcnemar([[5, b], [c, 5]], exact=True).pvalue]

    agree(figures["mcnemar"], reference, 1e-12)


def test_flip_signs(figures):
    def reference(differences):
        if len(differences) == 1:
            return [1.0]
        test = stats.permutation_test(
            (np.array(differences),),
            lambda d, axis: d.sum(axis=axis),
            vectorized=True,
            permutation_type="samples",
            n_resamples=np.inf,
            alternative="two-sided",
        )
        return [test.pvalue]

    agree(figures["flip"], reference, 1e-12)


def test_holm(figures, monkeypatch):
    monkeypatch.setattr(gc, "collect", lambda: 0)  # multipletests collects at each call, a tenth of a second
    agree(figures["holm"], lambda p: multipletests(p, method="holm")[1], 1e-12)


def test_kappa(figures):
    def reference(labels):
        a, b = (np.array(x) for x in labels)
        table = np.zeros((4, 4))
        np.add.at(table, (a, b), 1)
        kappa = None
        if len(set(a) | set(b)) > 1:
            kappa = cohens_kappa(table, return_results=False)
        return [(a == b).mean(), kappa]

    agree(figures["kappa"], reference, 1e-12)


def score_of_difference(first, second, n, delta):
    """Tango's statistic, the nuisance proportion found by climbing the likelihood."""

    def loss(q):  # q: the first run alone has a hit; q + delta: the second alone
        cells = [(first, q), (second, q + delta), (n - first - second, 1 - 2 * q - delta)]
        return -sum(count * math.log(max(p, 1e-300)) for count, p in cells if count > 0)

    low, high = max(0.0, -delta), (1 - delta) / 2
    q = optimize.minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    q = min((low, q, high), key=loss)
    return (second - first - n * delta) / math.sqrt(max(n * (2 * q + delta * (1 - delta)), 1e-300))


def test_difference(figures):
    def reference(clusters):
        first, second, n = (sum(c[k] for c in clusters) for k in ("FirstOnly", "SecondOnly", "N"))
        delta = (second - first) / n
        quantile, effect = Z, 1.0
        if n > len(clusters):
            quantile = stats.t.ppf(0.975, len(clusters) - 1)
            rows = np.concatenate(
                [
                    np.r_[
                        -np.ones(c["FirstOnly"]),
                        np.ones(c["SecondOnly"]),
                        np.zeros(c["N"] - c["FirstOnly"] - c["SecondOnly"]),
                    ]
                    for c in clusters
                ]
            )
            groups = np.repeat(np.arange(len(clusters)), [c["N"] for c in clusters])
            if rows.var() > 0:
                effect = max(1.0, cluster_variance(rows, groups) / (rows.var() / n))
        table = (first / effect, second / effect, n / effect)

        def limit(sign, low, high):
            def distance(d):
                return score_of_difference(*table, d) - sign * quantile

            return optimize.brentq(distance, low, high, xtol=1e-12)

        edge = 1 - 1e-12
        return [delta, limit(1, -edge, delta) if delta > -1 else -1, limit(-1, delta, edge) if delta < 1 else 1]

    agree(figures["difference"], reference, 1e-7)


OK, MISS, TRANSIENT, PERMANENT = "ok", "miss", "transient", "permanent"


def test_episodes(figures):
    def reference(trace):
        tools, calls = trace["tools"], trace["calls"] or []
        below = [t.get("below", []) for t in tools]
        lower = {b for tools_below in below for b in tools_below}

        def attempted(turn):
            return {
                c["tool"]
                for c in calls
                if c["turn"] < turn
                and (c["status"] in (OK, PERMANENT) or (c["status"] == TRANSIENT and c.get("useful", False)))
            }

        def worked(turn):
            return {c["tool"] for c in calls if c["turn"] < turn and c["status"] == OK}

        high = [c for c in calls if c["status"] in (OK, MISS, TRANSIENT, PERMANENT) and below[c["tool"]]]
        bad = [c for c in high if set(below[c["tool"]]) - attempted(c["turn"])]
        needless = [c for c in high if c in bad or set(below[c["tool"]]) & worked(c["turn"])]
        deciding = (needless or high or [None])[0]
        ped = len(set(below[deciding["tool"]]) & attempted(deciding["turn"])) if deciding else -1
        goal = min([c["turn"] for c in calls if c.get("reached")], default=math.inf)

        stood, escalated = [], -1
        for turn in range(1, min(trace["k"], len(trace["messages"])) + 1):
            depth = len(lower & attempted(turn))
            if goal < turn or depth == len(lower) or escalated >= 0:
                break
            if depth not in stood:
                stood.append(depth)
            if any(c["turn"] == turn for c in bad):
                escalated = depth
        return [
            *(float(any(c["turn"] <= k for c in bad)) for k in (1, 3, 5)),
            float(bool(bad)),
            ped,
            high[0]["tool"] if high else -1,
            escalated,
            *stood,
        ]

    agree(figures["episode"], reference, 0)
