package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/internal/cli"
)

// websocketWait bounds the handshake.
const websocketWait = 10 * time.Second

func websocketCommand() *cobra.Command {
	var ca string
	cmd := &cobra.Command{
		Use:   "websocket URL",
		Short: "Send lines to a relay and print the messages that come",
		Long: `websocket connects to a ws:// or wss:// URL, sends each line of its input as a message of text, and prints each message that
comes on a line, with blanks in place of line breaks, until either side ends. A line that begins with the byte 1e (hexadecimal) is a
message in base64, for those that no line of text holds; a message that is larger than a run reads ends the connection. It is the
WebSocket client of the scripts of grasp-check repro where there is no other.`,
		Example: "  grasp-check websocket ws://127.0.0.1:7334",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			roots, err := readRoots(ca)
			if err != nil {
				return err
			}
			return speakLines(cmd.Context(), args[0], roots, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	caFlag(cmd, &ca)
	return cmd
}

// speakLines sends lines and prints messages until the context, the input or the connection ends.
func speakLines(ctx context.Context, url string, roots *x509.CertPool, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	waiting, stop := context.WithTimeout(ctx, websocketWait)
	defer stop()
	secure := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	conn, _, err := websocket.Dial(waiting, url, &websocket.DialOptions{HTTPClient: secure}) //nolint:bodyclose // the library closes it
	if err != nil {
		return &cli.ExitError{Code: record.ExitUnreachable, Err: fmt.Errorf("connect to %s: %w", url, err), Hint: "give the URL of a relay, such as ws://127.0.0.1:7334"}
	}
	defer conn.CloseNow() //nolint:errcheck // what is to be said was said
	conn.SetReadLimit(livetarget.MaxMessageBytes)
	go func() {
		defer cancel()
		lines := bufio.NewReader(in)
		for {
			line, err := lines.ReadString('\n')
			if err != nil || conn.Write(ctx, websocket.MessageText, messageOf(strings.TrimSuffix(line, "\n"))) != nil {
				return
			}
		}
	}()
	for {
		_, message, err := conn.Read(ctx)
		if err != nil {
			return nil //nolint:nilerr // the end of a connection is no fault of the client's
		}
		if _, err := out.Write(append(bytes.ReplaceAll(message, []byte("\n"), []byte(" ")), '\n')); err != nil {
			return fmt.Errorf("print message: %w", err)
		}
	}
}

// messageOf is what a line sends.
func messageOf(line string) []byte {
	if coded, is := strings.CutPrefix(line, "\x1e"); is {
		if message, err := base64.StdEncoding.DecodeString(coded); err == nil {
			return message
		}
	}
	return []byte(line)
}
