package operated

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/target"
)

// witnesses are the connections that have to end with the server: a single one may end by chance.
const witnesses = 3

// answerWithin bounds the wait for an answer on a connection, and for its end.
const answerWithin = 5 * time.Second

// A question is answered by every relay, if only by a refusal, and asks for nothing.
const question = `["REQ","still-there",{"ids":["0000000000000000000000000000000000000000000000000000000000000000"],"limit":1}]`

// restart runs the command and shows by connections of before that their server is gone, and by an answer that there is one.
func (s *Server) restart(ctx context.Context) error {
	return s.ending(ctx, "--restart-cmd", s.commands.Restart, nil)
}

// kill does the same with two commands, if there are two.
func (s *Server) kill(ctx context.Context) error {
	return s.ending(ctx, "--kill-cmd", s.commands.Kill, s.commands.Start)
}

// ending ends the server by a command, and starts it by another one if it does not come back by itself. What is shown is that
// nobody answers on a connection of before: who only ends connections, as a proxy in front does, cannot be told from that.
func (s *Server) ending(ctx context.Context, flag string, command, start []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, err := s.connect(ctx)
	defer func() {
		for _, conn := range before {
			_ = conn.Close() // most are dead
		}
	}()
	if errors.Is(err, target.ErrUnreachable) {
		return s.rescue(ctx, flag, command, start)
	}
	if err != nil {
		return fmt.Errorf("%s: before it: %w", flag, err)
	}
	ran := launch.Run(ctx, command, s.commands.Within)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if ran == nil {
		for _, conn := range before {
			if gone := ended(ctx, conn); gone != nil {
				ran = gone
				break
			}
		}
	}
	if len(start) > 0 { // whatever came of the end: nobody else starts it
		if err := launch.Run(ctx, start, s.commands.Within); err != nil && ran == nil {
			return fmt.Errorf("--start-cmd: %w", err)
		}
	}
	if ran != nil {
		return fmt.Errorf("%s: %w", flag, ran)
	}
	if err := s.answering(ctx); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// rescue starts a server that has ended by itself, as far as the commands do that, and returns an error in any case: it is no
// end of a server that had ended before.
func (s *Server) rescue(ctx context.Context, flag string, command, start []string) error {
	if len(start) > 0 {
		command = start
	}
	err := launch.Run(ctx, command, s.commands.Within)
	if err == nil {
		err = s.answering(ctx)
	}
	return errors.Join(fmt.Errorf("%s: %w", flag, launch.ErrDied), err)
}

// connect opens the connections by which an end is seen, each of which is answered on.
func (s *Server) connect(ctx context.Context) ([]target.Conn, error) {
	var all []target.Conn
	for range witnesses {
		limited, cancel := context.WithTimeout(ctx, answerWithin)
		conn, err := s.Dial(limited)
		cancel()
		if err != nil {
			return all, err
		}
		all = append(all, conn)
		if err := asked(ctx, conn); err != nil {
			return all, err
		}
	}
	return all, nil
}

// asked returns nil if something is answered to a question.
func asked(ctx context.Context, conn target.Conn) error {
	limited, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	if err := conn.Send(limited, []byte(question)); err != nil {
		return err
	}
	_, err := conn.Recv(limited)
	return err
}

// ended returns nil if a connection of before has ended, or nothing is answered on it any more.
func ended(ctx context.Context, conn target.Conn) error {
	limited, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	for limited.Err() == nil { // what was under way when it ended, and what an orderly server says at its end
		_, err := conn.Recv(limited)
		if errors.Is(err, target.ErrClosed) {
			return nil
		}
		if err != nil {
			break
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if asked(ctx, conn) == nil {
		return fmt.Errorf("%w: it ended with exit status 0, and a connection of before is still answered on", ErrNoEffect)
	}
	return nil
}

// step runs the command that moves the clock.
func (s *Server) step(ctx context.Context, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	seconds := int64((d + time.Second - 1) / time.Second)
	words := make([]string, len(s.commands.Clock))
	for i, word := range s.commands.Clock {
		words[i] = strings.ReplaceAll(word, SecondsPlaceholder, strconv.FormatInt(seconds, 10))
	}
	if err := launch.Run(ctx, words, s.commands.Within); err != nil {
		return fmt.Errorf("--clock-cmd: %w", err)
	}
	s.at.Lock()
	defer s.at.Unlock()
	s.ahead += time.Duration(seconds) * time.Second
	return nil
}

// SecondsPlaceholder stands, in the words of a clock command, for by how many seconds the clock is moved.
const SecondsPlaceholder = "{seconds}"
