package httpd

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/relay"
)

// serveSocket carries relay messages until the client, the node or the server ends the conversation.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	client, err := s.node.ConnectFrom(r.Context(), s.client(r), r.RemoteAddr)
	if err != nil {
		status, text := http.StatusServiceUnavailable, textStopping
		switch {
		case errors.Is(err, node.ErrTooManyConnections):
			text = "Too many connections"
		case errors.Is(err, node.ErrCrowdedAddress):
			status, text = http.StatusTooManyRequests, "Too many connections from your address"
		}
		s.respond(w, s.web.Error(status, text))
		return
	}
	defer client.Close()
	for _, h := range s.web.CORS() {
		w.Header().Set(h.Name, h.Value)
	}
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // a relay takes clients of any origin
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		s.log.LogAttrs(r.Context(), slog.LevelDebug, "websocket refused", slog.Any("error", err))
		return
	}
	defer socket.CloseNow() //nolint:errcheck // closed already in every orderly end
	socket.SetReadLimit(relay.MessageBytesMax)

	ctx, cancel := context.WithCancel(r.Context())
	var writers sync.WaitGroup
	defer writers.Wait()
	defer cancel()
	var frames atomic.Uint64 // written
	written := make(chan struct{})
	writers.Go(func() {
		defer cancel()
		defer close(written)
		s.writeFrames(ctx, socket, client, &frames)
	})
	writers.Go(func() {
		defer cancel()
		s.ping(ctx, socket, &frames)
	})
	if err := s.readFrames(ctx, socket, client); errors.Is(err, node.ErrStopped) {
		<-written // the client is told
	}
}

// readFrames hands frames to the node until there are no more. A frame that is too large ends the connection with
// status 1009.
func (s *Server) readFrames(ctx context.Context, socket *websocket.Conn, client *node.Conn) error {
	for {
		kind, frame, err := socket.Read(ctx)
		if err != nil {
			return err
		}
		if kind == websocket.MessageText {
			err = client.Receive(ctx, frame)
		} else {
			err = client.ReceiveBinary(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// writeFrames sends what the node has to say. A client that takes too long for one frame is cut off.
func (s *Server) writeFrames(ctx context.Context, socket *websocket.Conn, client *node.Conn, frames *atomic.Uint64) {
	for {
		frame, err := client.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			_ = socket.Close(websocket.StatusGoingAway, "the server is stopping") // the client may be gone before
			return
		case err != nil:
			_ = socket.CloseNow() // there is no orderly end with a client that does not read
			return
		}
		writing, cancel := context.WithTimeout(ctx, frameWait)
		err = socket.Write(writing, websocket.MessageText, frame)
		cancel()
		if err != nil {
			return
		}
		frames.Add(1)
	}
}

// ping asks now and then whether the client is there, and returns when it is not. A client that takes frames is there,
// even if its answer has to wait because nothing more is read from it for the moment.
func (s *Server) ping(ctx context.Context, socket *websocket.Conn, frames *atomic.Uint64) {
	ticker := s.clock.Ticker(pingEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		asking, cancel := context.WithTimeout(ctx, pingWait)
		before := frames.Load()
		err := socket.Ping(asking)
		cancel()
		if err != nil && frames.Load() == before {
			return
		}
	}
}
