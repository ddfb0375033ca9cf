package client_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

// A hungUp target has connections that the server has closed by the time at which anything is sent.
type hungUp struct{ target.Target }

func (hungUp) Dial(context.Context) (target.Conn, error) { return endedConn{}, nil }

type endedConn struct{}

func (endedConn) Send(context.Context, []byte) error {
	return fmt.Errorf("send: %w: broken pipe", target.ErrClosed)
}
func (endedConn) Recv(context.Context) ([]byte, error) { return nil, target.ErrClosed }
func (endedConn) Close() error                         { return nil }

// That a connection has ended is in the record, too, where it is seen by what cannot be sent: else nothing there tells it from a question
// without an answer.
func TestEndSeenBySendingIsRecorded(t *testing.T) {
	live, err := livetarget.New("http://127.0.0.1:9", livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	recorder := client.NewRecorder(0)
	relay, o := client.New(hungUp{live}, client.Options{Recorder: recorder}).Relay(t.Context())
	if o != nil {
		t.Fatal(o)
	}
	if o := relay.SendRaw(t.Context(), []byte(`["REQ","q",{}]`)); o == nil {
		t.Error("sent on a connection that has ended")
	}
	for _, e := range recorder.Entries() {
		if e.Dir == client.Remark && e.Head == target.ErrClosed.Error() {
			return
		}
	}
	t.Errorf("got %+v, want a remark that the connection has ended", recorder.Entries())
}
