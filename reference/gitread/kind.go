package gitread

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	pool "github.com/go-git/go-git/v5/utils/sync"

	"github.com/graspkit/graspkit/reference/repo"
)

// kindMax is how many bytes the first word of an object has at most, with the space behind it.
const kindMax = len("commit ")

// Kind returns what an object is that has a file of its own: "commit", "tree", "blob" or "tag". It is "" for one that is
// in a pack or nowhere, and for a file that says nothing of the kind: what it is then is for git to find out.
func Kind(path string, oid repo.OID) (string, error) {
	if !isSHA1(string(oid)) {
		return "", nil
	}
	f, err := os.Open(filepath.Join(path, "objects", string(oid[:2]), string(oid[2:])))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	word := firstWord(f)
	if err := f.Close(); err != nil {
		return "", err
	}
	switch word {
	case "commit", "tree", "blob", "tag":
		return word, nil
	}
	return "", nil
}

// headMax is how many bytes of a file are read for its first word: git packs them by itself, in a block of their own or not.
const headMax = 512

// firstWord unpacks what stands before the first space.
func firstWord(file io.Reader) string {
	packed := make([]byte, headMax)
	n, _ := io.ReadFull(file, packed) // a shorter file is the usual case
	unpacked, err := pool.GetZlibReader(bytes.NewReader(packed[:n]))
	defer pool.PutZlibReader(unpacked)
	if err != nil {
		return ""
	}
	text := make([]byte, kindMax)
	n, _ = io.ReadFull(unpacked.Reader, text)
	word, _, found := bytes.Cut(text[:n], []byte{' '})
	if !found {
		return ""
	}
	return string(word)
}
