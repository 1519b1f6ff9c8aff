//go:build heavy

package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// The heavy suite (make test-heavy): what takes minutes, or processes that are stopped, killed and cut off.

func init() {
	programs["privgym-client"] = clientMain
}

func TestHeavyDamagedInputs(t *testing.T) { damageInputs(t, 60) }

// gauge reads a metric without labels.
func (s *served) gauge(t *testing.T, name string) float64 {
	t.Helper()
	_, body := get(t, s.metricsURL(t))
	found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(body)
	if found == nil {
		t.Fatalf("there is no metric %s", name)
	}
	value, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// within waits until a condition holds, and returns how long that took.
func within(t *testing.T, limit time.Duration, what string, holds func() bool) time.Duration {
	t.Helper()
	start := time.Now()
	for !holds() {
		if time.Since(start) > limit {
			t.Errorf("not after %v: %s", limit, what)
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return time.Since(start)
}

const (
	parcel      = "gov-se-parcel-use/1.1"
	testToken   = "token-of-a-test"
	clientSlots = 32
)

func parcelReset(id string, seed int64, history ...*pb.Turn) *pb.ResetRequest {
	return &pb.ResetRequest{
		EpisodeId: id, Scenario: &pb.ResetRequest_ScenarioId{ScenarioId: parcel}, Seed: seed, History: history,
		Options: &pb.EpisodeOptions{K: 64, Faults: "outage"},
	}
}

// parcelTurn calls a tool that fails each time under the plan outage, or ends the episode.
func parcelTurn(last bool) *pb.Turn {
	if last {
		return &pb.Turn{Text: "I could not do it.", FinishReason: "stop"}
	}
	return &pb.Turn{Calls: []*pb.ToolCall{{
		Name: "correct_parcel_attribute", Arguments: `{"parcel": "14-207", "attribute": "use", "value": "residential"}`,
	}}}
}

// clientMain is a client in a process of its own: it takes all episodes that there are, leaves some streams unread, and
// goes on to use the episodes until it is ended.
func clientMain() {
	address := os.Args[1]
	ctx := metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+testToken)
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "client:", err)
			os.Exit(1)
		}
	}
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	fail(err)
	env := pb.NewEnvironmentServiceClient(conn)
	for i := range clientSlots {
		_, err := env.Reset(ctx, parcelReset(fmt.Sprint("client/", i), 1))
		fail(err)
	}
	for range 8 {
		_, err := env.ListScenarios(ctx, &pb.ListScenariosRequest{})
		fail(err)
	}
	fmt.Println("ready")
	for {
		for i := range clientSlots {
			_, err := env.Step(ctx, &pb.StepRequest{EpisodeId: fmt.Sprint("client/", i), Turn: 1, Content: parcelTurn(false)})
			fail(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
