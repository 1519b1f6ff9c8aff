package server

import (
	"context"

	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// statusOK is shared by all results; messages that nobody changes may be encoded by many at once.
var statusOK = &pb.Status{}

// resultBytes is more than a result adds to the answer or the error that it holds, and more than one without room takes.
const resultBytes = 160

var errNoRoom = refuse(errFull, "no room for this answer in the message of the batch; send this item again in another call")

// runBatch answers the items of a batch one after the other in this goroutine: a turn takes a few microseconds, less
// than handing it to another goroutine gains, and items of one episode run in the order given. An item that fails, even
// by a panic, leaves the others alone. The one whose answer does not fit into the message any more is told to come again,
// which is harmless as for every repeated call, and so are those after it, which are not run.
func runBatch[Q any, R proto.Message](
	ctx context.Context, s *Server, field string, items []Q, answer func(Q) (R, error), put func(int, *pb.Status, R),
) error {
	if err := s.limits.checkSize(field, len(items)); err != nil {
		return err
	}
	room := s.limits.MessageBytes - resultBytes*len(items)
	for i, item := range items {
		if err := ctx.Err(); err != nil {
			return err // nobody will read the answer
		}
		var none R
		r, err := none, errNoRoom
		if room > 0 {
			r, err = guarded(s, item, answer)
		}
		if err == nil {
			size := proto.Size(r)
			if size <= room {
				room -= size
				put(i, statusOK, r)
				continue
			}
			err, room = errNoRoom, 0
		}
		st := s.itemStatus(err)
		room -= len(st.Message)
		put(i, st, none)
	}
	return nil
}

// guarded turns a panic of one item into its error.
func guarded[Q, R any](s *Server, item Q, answer func(Q) (R, error)) (r R, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = s.recovered(p)
		}
	}()
	return answer(item)
}

func (s *Server) itemStatus(err error) *pb.Status {
	st := s.status(err)
	return &pb.Status{Code: int32(st.Code()), Message: st.Message()}
}
