package container

import (
	"context"
	"fmt"
	"time"

	"github.com/ory/dockertest/v3/docker"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/target"
)

// What is asked of the logs.
const (
	logsWait  = 5 * time.Second
	logsLines = "500"
)

// Output is the last of what the server has written on stdout and stderr, over all its lives.
func (s *Server) Output() string {
	var tail launch.Tail
	if err := s.logs(docker.LogsOptions{OutputStream: &tail, ErrorStream: &tail}); err != nil {
		return fmt.Sprintf("%s(logs of the container: %v)", tail.String(), err)
	}
	return tail.String()
}

// Mark is the present second: engines give out their logs by the time of their clock, which has to be that of this machine.
func (s *Server) Mark() target.LogMark { return target.LogMark(s.clock.Now().Unix()) }

// Since returns what was written from the second of a mark on, out of the last 500 lines.
func (s *Server) Since(mark target.LogMark) string {
	var tail launch.Tail
	_ = s.logs(docker.LogsOptions{OutputStream: &tail, ErrorStream: &tail, Since: int64(mark)}) // what came is better than nothing
	return tail.Since(0)
}

// logs asks the engine for the end of the logs.
func (s *Server) logs(opts docker.LogsOptions) error {
	ctx, cancel := context.WithTimeout(context.Background(), logsWait)
	defer cancel()
	opts.Context, opts.Container, opts.Tail = ctx, s.resource.Container.ID, logsLines
	opts.Stdout, opts.Stderr = true, true
	return s.pool.Client.Logs(opts)
}
