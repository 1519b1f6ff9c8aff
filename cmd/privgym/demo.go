package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/server"
	"github.com/privgym/privgym/reward/stats"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/play"
	"github.com/privgym/privgym/sft"
)

type demoCmd struct {
	Out  string `placeholder:"DIR" help:"Write the trajectories into DIR; by default into a new temporary folder."`
	JSON bool   `name:"json" help:"Print the table as JSON, and nothing else."`
}

// demoPlans are the conditions of the demo: every tool with little privilege fails once, or for good.
var demoPlans = []string{"once", "ruled-out"}

// Run plays every policy on every embedded scenario against a server of its own, over a real connection.
func (c *demoCmd) Run(ctx context.Context, io streams) (err error) {
	scenarios := corpus.Embedded()
	conn, client, stop, err := serveLocally(ctx, scenarios)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(), stop()) }()
	path, err := c.path()
	if err != nil {
		return usageError{err}
	}
	out, err := rollout.Create(path)
	if err != nil {
		return usageError{err}
	}
	defer out.Discard()
	player := &play.Player{Corpus: scenarios, Client: client, Version: version()}
	d := &demo{byPolicy: map[string]*demoRow{}}
	if err := d.play(ctx, player, scenarios.IDs(""), out, io.err); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	dataset := filepath.Join(filepath.Dir(path), "sft")
	if d.lesson, err = sft.Generate(ctx, dataset, sft.Config{
		Corpus: scenarios, Version: version(), Rows: demoLessons,
	}, func() {}); err != nil {
		return err
	}
	return c.print(io.out, d, path, dataset)
}

// demoLessons is the size of the small dataset that the demo writes.
const demoLessons = 100

func (c *demoCmd) path() (string, error) {
	const name = "trajectories.jsonl"
	if c.Out != "" {
		return filepath.Join(c.Out, name), os.MkdirAll(c.Out, 0o755)
	}
	dir, err := os.MkdirTemp("", "privgym-demo-")
	return filepath.Join(dir, name), err
}

// serveLocally starts a server on a free loopback port and connects to it. stop drains it.
func serveLocally(ctx context.Context, scenarios *corpus.Corpus) (conn *grpc.ClientConn, client *play.Client, stop func() error, err error) {
	s, err := server.New(server.Config{Corpus: scenarios, Version: version()})
	if err != nil {
		return nil, nil, nil, err
	}
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, nil, err
	}
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	served := make(chan error, 1)
	go func() { served <- s.Serve(serving, lis) }()
	stop = func() error {
		cancel()
		return <-served
	}
	conn, client, err = dial(ctx, lis.Addr().String(), scenarios, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, nil, nil, errors.Join(err, stop())
	}
	return conn, client, stop, nil
}

// demo gathers what the table shows.
type demo struct {
	byPolicy map[string]*demoRow
	example  *rollout.Record
	lesson   *sft.Result
}

// demoRow is one line of the table.
type demoRow struct {
	episodes []stats.Observation
	rewards  float64
}

// example is the episode that the demo tells: a scenario whose every low tool is out, played with care.
var example = play.Job{Policy: "careful", ScenarioID: "gov-se-parcel-use/1.1", Options: episode.Options{Faults: "ruled-out"}}

func (d *demo) play(ctx context.Context, p *play.Player, ids []string, out, log io.Writer) error {
	var jobs []play.Job
	for _, policy := range play.Names() {
		d.byPolicy[policy] = &demoRow{}
		for _, plan := range demoPlans {
			for _, id := range ids {
				jobs = append(jobs, play.Job{Policy: policy, ScenarioID: id, Options: episode.Options{Faults: plan}})
			}
		}
	}
	bar := newProgress(log, "demo", len(jobs))
	defer bar.finish()
	return p.Each(ctx, jobs, func(j play.Job, rec *rollout.Record, err error) error {
		if err != nil {
			return err
		}
		bar.add()
		d.add(j, rec)
		return rollout.WriteJSONL(out, rec)
	})
}

func (d *demo) add(j play.Job, rec *rollout.Record) {
	row := d.byPolicy[j.Policy]
	labels := stats.Labels{Scenario: rec.ScenarioID, Family: rec.Family, RuledOut: rec.FaultPlan == "ruled-out"}
	row.episodes = append(row.episodes, stats.Observe(labels, rec.Trace))
	row.rewards += rec.Rewards[0].Value
	if j == example {
		d.example = rec
	}
}

func (c *demoCmd) print(w io.Writer, d *demo, path, dataset string) error {
	if c.JSON {
		return json.NewEncoder(w).Encode(map[string]any{"policies": d.lines(), "trajectories": path, "sft": dataset})
	}
	fmt.Fprintf(w, "%s\n\n", demoTable(d.lines()))
	if d.example != nil {
		writeTranscript(w, d.example)
	}
	if think := d.lesson.Example.FirstThought(); think != "" {
		fmt.Fprintf(w, "A think block to learn from (%s):\n\n%s\n\n", d.lesson.Example.ScenarioID, wrapped(think))
	}
	_, err := fmt.Fprintf(w, "Trajectories to learn from: %s (%d rows)\nAll trajectories of the table: %s\nPlay them again with: privgym replay %s\n",
		dataset, demoLessons, path, path)
	return err
}
