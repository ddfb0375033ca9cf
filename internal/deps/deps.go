// Package deps keeps module requirements while rooms are being built.
package deps

import (
	_ "github.com/benbjohnson/clock"
	_ "github.com/cockroachdb/datadriven"
	_ "github.com/coder/websocket"
	_ "github.com/cucumber/gherkin/go/v26"
	_ "github.com/cucumber/godog"
	_ "github.com/cucumber/messages/go/v21"
	_ "github.com/cucumber/tag-expressions/go/v6"
	_ "github.com/go-git/go-git/v5/plumbing/format/packfile"
	_ "github.com/go-git/go-git/v5/plumbing/object"
	_ "github.com/go-git/go-git/v5/storage/filesystem"
	_ "github.com/go-git/go-git/v5/storage/memory"
	_ "github.com/goccy/go-yaml"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/nbd-wtf/go-nostr"
	_ "github.com/nbd-wtf/go-nostr/nip19"
	_ "github.com/ory/dockertest/v3"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "go.etcd.io/bbolt"
	_ "go.uber.org/goleak"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/tools/go/packages"
	_ "pgregory.net/rapid"
)
