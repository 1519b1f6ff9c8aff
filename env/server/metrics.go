package server

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
)

// metrics of a server. What every turn counts is looked up ahead, so that counting is an atomic addition.
type metrics struct {
	resets, steps prometheus.Counter
	calls         map[string]prometheus.Counter // by status
	idle, client  prometheus.Counter            // closed episodes by why
	methods       map[string]*methodMetrics     // by full name
}

type methodMetrics struct {
	seconds prometheus.Observer
	ok      prometheus.Counter
	codes   *prometheus.CounterVec // the others, by code
}

// rpcBuckets span a turn from memory to a full batch.
var rpcBuckets = []float64{25e-6, 100e-6, 500e-6, 2e-3, 10e-3, 50e-3, 250e-3, 1, 5}

func newMetrics(registry prometheus.Registerer, t *table, about *pb.DescribeResponse) (*metrics, error) {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "privgym", Name: name, Help: help}, labels)
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: "privgym", Name: "info", Help: "Always 1; the labels say what is served. Replicas must agree on both.",
		ConstLabels: prometheus.Labels{"version": about.GetVersion(), "corpus": about.GetCorpusDigest()},
	})
	info.Set(1)
	limit := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: "privgym", Name: "episodes_limit", Help: "Episodes that may be live at once.",
	})
	limit.Set(float64(t.limits.Episodes))
	live := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "privgym", Name: "episodes_live", Help: "Episodes live now.",
	}, func() float64 { return float64(t.live.Load()) })
	retained := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "privgym", Name: "retained_bytes", Help: "Bytes held for the turns of live episodes, as counted for their limit.",
	}, func() float64 { return float64(t.bytes.Load()) })
	resets := counter("resets_total", "Episodes opened.")
	steps := counter("steps_total", "Turns played, also from history; repeated turns are not.")
	calls := counter("calls_total", "Tool calls of the turns played.", "status")
	closed := counter("episodes_closed_total", "Episodes ended by a client, or by the idle time-out.", "why")
	rpcs := counter("rpcs_total", "Calls answered.", "method", "code")
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: "privgym", Name: "rpc_seconds", Help: "Time to answer a call.", Buckets: rpcBuckets,
	}, []string{"method"})
	for _, c := range []prometheus.Collector{info, limit, live, retained, resets, steps, calls, closed, rpcs, seconds} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	m := &metrics{
		resets:  resets.WithLabelValues(),
		steps:   steps.WithLabelValues(),
		calls:   make(map[string]prometheus.Counter),
		idle:    closed.WithLabelValues("idle"),
		client:  closed.WithLabelValues("client"),
		methods: make(map[string]*methodMetrics),
	}
	for status := reward.OK; status <= reward.Malformed; status++ {
		m.calls[status.String()] = calls.WithLabelValues(status.String())
	}
	m.calls[episode.NotExecuted] = calls.WithLabelValues(episode.NotExecuted)
	for _, name := range append(methodNames(), gymRoutes...) {
		m.methods[name] = &methodMetrics{
			seconds: seconds.WithLabelValues(name),
			ok:      rpcs.WithLabelValues(name, codes.OK.String()),
			codes:   rpcs.MustCurryWith(prometheus.Labels{"method": name}),
		}
	}
	return m, nil
}

func methodNames() []string {
	var names []string
	for _, d := range []grpc.ServiceDesc{pb.EnvironmentService_ServiceDesc, pb.RewardService_ServiceDesc} {
		for _, m := range d.Methods {
			names = append(names, "/"+d.ServiceName+"/"+m.MethodName)
		}
		for _, m := range d.Streams {
			names = append(names, "/"+d.ServiceName+"/"+m.StreamName)
		}
	}
	return names
}

func (m *metrics) opened(history []*pb.StepResponse) {
	m.resets.Inc()
	m.stepped(history...)
}

func (m *metrics) stepped(answers ...*pb.StepResponse) {
	m.steps.Add(float64(len(answers)))
	for _, a := range answers {
		for _, t := range a.GetToolMessages() {
			m.calls[t.GetStatus()].Inc()
		}
	}
}

func (m *metrics) closedByClient(n int) { m.client.Add(float64(n)) }
func (m *metrics) closedIdle(n int)     { m.idle.Add(float64(n)) }

// answered counts a call of the services or of an HTTP route; health and reflection are not counted.
func (m *metrics) answered(method string, code codes.Code, took time.Duration) {
	of, ok := m.methods[method]
	if !ok {
		return
	}
	of.seconds.Observe(took.Seconds())
	if code == codes.OK {
		of.ok.Inc()
		return
	}
	of.codes.WithLabelValues(code.String()).Inc()
}
