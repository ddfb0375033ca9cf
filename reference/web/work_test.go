package web_test

import (
	"encoding/json"
	"slices"
	"testing"
)

// A server that asks for work says how much, and lists the NIP; any other one says that it asks for none.
func TestDocumentTellsWork(t *testing.T) {
	for work, nips := range map[int][]int{0: {1, 34}, 20: {1, 13, 34}} {
		cfg := config
		cfg.NIPs, cfg.MinWork = []int{1, 34}, work
		route := cfg.Route(hosted, request("GET /", "Accept: application/nostr+json"))
		var got struct {
			NIPs       []int          `json:"supported_nips"`
			Limitation map[string]any `json:"limitation"`
		}
		if err := json.Unmarshal(route.Response.Body, &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.NIPs, nips) || got.Limitation["min_pow_difficulty"] != float64(work) {
			t.Errorf("got NIPs %v and %v bits, want %v and %d", got.NIPs, got.Limitation["min_pow_difficulty"], nips, work)
		}
	}
}
