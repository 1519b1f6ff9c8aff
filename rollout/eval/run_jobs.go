package eval

import (
	"fmt"
	"slices"
	"strings"
)

// job is one episode of a run.
type job struct {
	// index is its place in the whole run, from 0: by scenario, then by repeat.
	index    int
	scenario string
	repeat   int
	seed     int64
}

// key names the job by what its record says.
func (j job) key() jobKey { return jobKey{j.scenario, j.seed} }

type jobKey struct {
	scenario string
	seed     int64
}

func (s *Settings) jobs(ids []string) []job {
	ids = choose(ids, s.Limit)
	jobs := make([]job, 0, len(ids)*s.Repeats)
	for _, id := range ids {
		for r := range s.Repeats {
			jobs = append(jobs, job{index: len(jobs), scenario: id, repeat: r, seed: s.Seed + int64(r)})
		}
	}
	return jobs
}

// choose takes limit of the scenarios, 0 for all: the first of each family, then the second of each, and so on, so that
// few scenarios are of many families. They keep their order.
func choose(ids []string, limit int) []string {
	if limit <= 0 || limit >= len(ids) {
		return ids
	}
	type place struct{ rank, index int }
	places := make([]place, len(ids))
	seen := map[string]int{}
	for i, id := range ids {
		family := id[:max(strings.LastIndexByte(id, '/'), 0)]
		places[i] = place{seen[family], i}
		seen[family]++
	}
	slices.SortStableFunc(places, func(a, b place) int { return a.rank - b.rank })
	places = places[:limit]
	slices.SortFunc(places, func(a, b place) int { return a.index - b.index })
	chosen := make([]string, limit)
	for i, p := range places {
		chosen[i] = ids[p.index]
	}
	return chosen
}

// shardOf returns a part of the jobs: the parts in their order are the whole, so that files of shards, put behind one
// another, are the file of one run.
func shardOf(jobs []job, shard, shards int) []job {
	return jobs[len(jobs)*shard/shards : len(jobs)*(shard+1)/shards]
}

// shardFile is the name of a file of a shard; shards are counted from 0.
func shardFile(stem string, shard, shards int, extension string) string {
	return fmt.Sprintf("%s-%05d-of-%05d%s", stem, shard, shards, extension)
}
