package target_test

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

func TestRelayBehaviorIsValidated(t *testing.T) {
	for _, good := range []target.RelayBehavior{
		{},
		{Mode: target.RelayDrops, After: 1},
		{Mode: target.RelayCloses, Text: "error: x"},
		{Negentropy: "unknown", PageMax: 10},
		{Mode: target.RelayHangs, From: time.Second, Until: 2 * time.Second},
	} {
		if err := good.Validate(); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for _, bad := range []target.RelayBehavior{
		{Mode: "x"},
		{From: -1},
		{Delay: -1},
		{Until: -1},
		{From: 2, Until: 2},
		{Mode: target.RelayDrops},
		{After: 1},
		{After: -1},
		{Text: "x"},
		{Negentropy: "x"},
		{PageMax: -1},
		{PerMinute: -1},
	} {
		if bad.Validate() == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}
