package cli_test

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/graspkit/graspkit/internal/cli"
)

func TestNewLogger(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Unix(1_700_000_000, 0).UTC() }
	tests := []struct {
		name string
		now  func() time.Time
		want string
	}{
		{"stamps the time of its clock", now, `{"time":"2023-11-14T22:13:20Z","level":"INFO","msg":"held","world":"serve","event":{"kind":30618}}` + "\n"},
		{"leaves the time out", nil, `{"level":"INFO","msg":"held","world":"serve","event":{"kind":30618}}` + "\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var buf bytes.Buffer
			log := cli.NewLogger(&buf, slog.LevelInfo, test.now)
			log.Debug("dropped")
			log.With(slog.String("world", "serve")).WithGroup("event").Info("held", slog.Int("kind", 30618))
			if got := buf.String(); got != test.want {
				t.Errorf("record: got %s, want %s", got, test.want)
			}
		})
	}
}
