package server

import (
	"context"
	"crypto/rand"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// The fuzz targets, one for each method, stand in fuzz_environment_test.go and fuzz_reward_test.go. They send whatever
// decodes, and well-formed requests with hostile parts. The law of all: the answer fits into a message, its status is one
// that the method may have by docs/protocol.md, and an episode that no request names stays what it was, byte for byte.

// attacked is a server with an episode that nobody can name, the witness, and one called "e" that has played a turn.
type attacked struct {
	*Server
	*actor
	env pb.EnvironmentServiceServer
	rew pb.RewardServiceServer
	was string
}

var witnessID = rand.Text()

func attack(t testing.TB, a *actor) *attacked {
	t.Helper()
	s := newServer(t)
	h := &attacked{Server: s, actor: a, env: s.Environment(), rew: s.Reward()}
	must(s.reset(h.opening(witnessID)))(t)
	must(s.reset(h.opening("e")))(t)
	h.was = h.witness(t)
	return h
}

// opening asks for an episode that has played one turn.
func (h *attacked) opening(id string) *pb.ResetRequest {
	return reset(id, parcel, 7, noFaults, h.turn(h.low[0], h.high[0]))
}

// witness returns all bytes that a client can have of the witness.
func (h *attacked) witness(t testing.TB) string {
	t.Helper()
	if _, ok := h.table.get(witnessID); !ok {
		t.Fatal("an episode that nobody named is gone")
	}
	score := must(h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{witnessID}, Presets: h.about.GetPresets()}))(t)
	return bytesOf(t, must(h.reset(h.opening(witnessID)))(t)) + bytesOf(t, score)
}

// both returns the request that raw decodes to, if it does, and the one that was built, if the wire can carry it.
func both[Q proto.Message](t testing.TB, raw []byte, built Q) []Q {
	t.Helper()
	var requests []Q
	wire, err := proto.Marshal(built)
	if err != nil {
		wire = nil // a text that is no UTF-8
	}
	for _, content := range [][]byte{raw, wire} {
		decoded := built.ProtoReflect().New().Interface().(Q)
		if content != nil && proto.Unmarshal(content, decoded) == nil {
			requests = append(requests, decoded)
		}
	}
	return requests
}

// call sends a request to a method and holds the answer to the law.
func call[Q, R proto.Message](t testing.TB, h *attacked, method func(context.Context, Q) (R, error), req Q, refusals ...codes.Code) (R, error) {
	t.Helper()
	answer, err := method(t.Context(), req)
	if err != nil {
		h.holds(t, status.Convert(err).Proto().GetCode(), refusals)
	} else if size := len(bytesOf(t, answer)); size > h.limits.MessageBytes {
		t.Errorf("the answer has %d bytes", size)
	}
	if h.witness(t) != h.was {
		t.Errorf("%v changed an episode that it does not name", req)
	}
	return answer, err
}

// holds that a code is OK or one of those given.
func (h *attacked) holds(t testing.TB, code int32, refusals []codes.Code) {
	t.Helper()
	if c := codes.Code(code); c != codes.OK && !slices.Contains(refusals, c) {
		t.Errorf("status %v; want one of %v", c, refusals)
	}
}

// The statuses that methods, or the items of a batch, may have. None but these is in the table of docs/protocol.md, apart
// from what gRPC answers before a method is reached.
var (
	invalidOnly   = []codes.Code{codes.InvalidArgument}
	resetRefusals = []codes.Code{codes.InvalidArgument, codes.AlreadyExists, codes.ResourceExhausted}
	stepRefusals  = []codes.Code{codes.InvalidArgument, codes.NotFound, codes.FailedPrecondition, codes.ResourceExhausted}
	scoreRefusals = []codes.Code{codes.InvalidArgument, codes.NotFound, codes.ResourceExhausted}
)

// protocolStatuses reads the table of docs/protocol.md.
func protocolStatuses(t testing.TB) map[codes.Code]bool {
	t.Helper()
	page := must(os.ReadFile("../../docs/protocol.md"))(t)
	documented := map[codes.Code]bool{}
	for _, cell := range regexp.MustCompile("(?m)^\\| (`[A-Z_`, ]+`) \\|").FindAllSubmatch(page, -1) {
		for _, name := range strings.Split(string(cell[1]), ", ") {
			var c codes.Code
			if err := c.UnmarshalJSON([]byte(`"` + strings.Trim(name, "`") + `"`)); err != nil {
				t.Errorf("%s is no status of gRPC", name)
			}
			documented[c] = true
		}
	}
	return documented
}

func TestRefusalsAreDocumented(t *testing.T) {
	documented := protocolStatuses(t)
	for _, refusals := range [][]codes.Code{invalidOnly, resetRefusals, stepRefusals, scoreRefusals} {
		for _, c := range refusals {
			if !documented[c] {
				t.Errorf("docs/protocol.md does not tell of %v", c)
			}
		}
	}
}
