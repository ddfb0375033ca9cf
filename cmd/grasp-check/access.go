package main

import (
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/internal/cli"
)

// keyOptions are the flags by which a tester gives keys.
type keyOptions struct {
	keys, nsec string
}

func (o *keyOptions) flag(c *cobra.Command) {
	c.Flags().StringVar(&o.keys, "keys", "", "write with the secret keys in this `FILE` (hex or nsec, one a line); their public keys are printed")
	c.Flags().StringVar(&o.nsec, "nsec", "", "write with one secret key (hex or nsec), which is in a `FILE`, or as env:NAME in a variable of the environment; goes before --keys")
}

// read reads the keys: that of --nsec first. No flag gives no keys. No secret is ever printed.
func (o keyOptions) read() ([]client.Key, error) {
	keys, err := readKeys(o.keys)
	if err != nil || o.nsec == "" {
		return keys, err
	}
	one, err := readSecret(o.nsec)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if key.Pubkey == one.Pubkey {
			return keys, nil
		}
	}
	return append([]client.Key{one}, keys...), nil
}

// secretLike tells what somebody may have written in place of a file.
var secretLike = regexp.MustCompile(`^(nsec1[02-9ac-hj-np-z]+|[0-9a-fA-F]{64})$`)

// secretMax bounds a file with one secret key, in bytes.
const secretMax = 1 << 10

func readSecret(from string) (client.Key, error) {
	name, inEnvironment := strings.CutPrefix(from, "env:")
	text := ""
	switch {
	case secretLike.MatchString(from):
		usage := cli.Usagef("--nsec: a secret key does not belong on a command line, where others can read it")
		usage.Hint = "write it to a file and name that, or put it into a variable and say env:NAME"
		return client.Key{}, usage
	case inEnvironment:
		if text = os.Getenv(name); text == "" {
			return client.Key{}, cli.Usagef("--nsec %s: the variable is not set", from)
		}
	default:
		read, err := os.ReadFile(from)
		if err != nil {
			return client.Key{}, &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--nsec: %w", err), Hint: "name a file with one secret key, hexadecimal or nsec, or a variable as env:NAME"}
		}
		text = string(read[:min(len(read), secretMax)])
	}
	key, err := client.ParseKey("nsec", strings.TrimSpace(text))
	if err != nil {
		return client.Key{}, cli.Usagef("--nsec %s: want one secret key, of 64 hexadecimal digits or an nsec", from)
	}
	return key, nil
}

func caFlag(c *cobra.Command, path *string) {
	c.Flags().StringVar(path, "ca", "", "trust the certificates in this `FILE` (PEM) as well, for https and wss")
}

// readRoots reads certificates to trust beside those of the machine; no path gives nil, which is those alone.
func readRoots(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // nil is a pool: that of the machine
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--ca: %w", err), Hint: "name a file of certificates (PEM)"}
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		usage := cli.Usagef("--ca %s: no certificate in it", path)
		usage.Hint = "name a file with -----BEGIN CERTIFICATE----- in it"
		return nil, usage
	}
	return pool, nil
}

// liveTarget is the server at a URL, for commands that judge nothing.
func liveTarget(at, ca string) (*livetarget.Target, error) {
	roots, err := readRoots(ca)
	if err != nil {
		return nil, err
	}
	t, err := livetarget.New(at, livetarget.Options{Roots: roots})
	if err != nil {
		return nil, &cli.ExitError{Code: cli.ExitUsage, Err: err, Hint: "give the URL of the service, such as ws://127.0.0.1:7334"}
	}
	return t, nil
}

// absolute is a path that means the same in every folder.
func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil && path != "" {
		return whole
	}
	return path
}
