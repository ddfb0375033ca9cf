package gitread

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/graspkit/graspkit/reference/repo"
)

// Missing returns those of the objects that are not in the repository, in their order: neither in files of their own
// nor in a pack with its index. Ids that are no SHA-1 ids are missing. Objects of other repositories (alternates) and of
// a push that is being received are not looked at.
//
// Files of their own are looked at first, all of them, and only then the packs are listed: whoever packs objects
// together meanwhile removes their files last.
func Missing(path string, oids []repo.OID) (missing []repo.OID, err error) {
	objects := filepath.Join(path, "objects")
	for _, oid := range oids {
		there := false
		if isSHA1(string(oid)) {
			if there, err = inOwnFile(objects, oid); err != nil {
				return nil, fmt.Errorf("look for object %s: %w", oid, err)
			}
		}
		if !there {
			missing = append(missing, oid)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	missing, err = notPacked(filepath.Join(objects, "pack"), missing)
	if err != nil {
		return nil, fmt.Errorf("look for objects in packs: %w", err)
	}
	return missing, nil
}

// inOwnFile reports whether an object is a file. An empty one, which a crash may leave, is none.
func inOwnFile(objects string, oid repo.OID) (bool, error) {
	info, err := os.Stat(filepath.Join(objects, string(oid[:2]), string(oid[2:])))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Size() > 0, err
}

// listsMax is how often the packs are listed again because one of them has gone meanwhile.
const listsMax = 5

// notPacked returns those of the objects that are in no pack.
func notPacked(dir string, oids []repo.OID) (left []repo.OID, err error) {
	for range listsMax {
		left, err = notIn(dir, oids)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return left, err
}

// notIn lists the packs once. An error that wraps fs.ErrNotExist says that something was not found and that packs have gone
// meanwhile, so that it may be in a new one: who packs objects together removes many at a time.
func notIn(dir string, oids []repo.OID) ([]repo.OID, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return oids, nil
	}
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool, len(entries))
	for _, entry := range entries {
		names[entry.Name()] = true
	}
	left := oids
	var gone error
	for _, entry := range entries {
		pack, is := strings.CutSuffix(entry.Name(), ".idx")
		if !is || !names[pack+".pack"] || len(left) == 0 {
			continue
		}
		rest, err := NotIndexed(filepath.Join(dir, entry.Name()), left)
		switch {
		case err == nil:
			left = rest
		case errors.Is(err, fs.ErrNotExist):
			gone = err
		default:
			return nil, err
		}
	}
	if len(left) == 0 {
		return nil, nil
	}
	return left, gone
}

// NotIndexed returns those of the objects that the index of one pack does not name.
func NotIndexed(name string, oids []repo.OID) (left []repo.OID, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	for _, oid := range oids {
		found := false
		if sum, err := hex.DecodeString(string(oid)); err == nil && len(sum) == sha1.Size {
			if found, err = indexed(file, sum); err != nil {
				return nil, err
			}
		}
		if !found {
			left = append(left, oid)
		}
	}
	return left, nil
}

// The shape of an index: perhaps a magic number and a version, then how many ids begin with each byte or a lower one,
// then the ids in order, alone or each behind an offset.
const (
	fanoutSize = 256 * 4
	headSize   = 8
	offsetSize = 4
)

// magic begins every index but those of the first version.
var magic = []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}

// errIndex is of a file that is no index of SHA-1 ids.
var errIndex = errors.New("gitread: pack index is broken or of an unknown kind")

// indexed looks for an object in the index of a pack.
func indexed(index io.ReaderAt, sum []byte) (bool, error) {
	head := make([]byte, headSize)
	if err := readAt(index, head, 0); err != nil {
		return false, err
	}
	fanout, stride, skip := int64(headSize), int64(sha1.Size), int64(0)
	switch {
	case bytes.Equal(head, magic):
	case bytes.HasPrefix(head, magic[:4]):
		return false, errIndex
	default:
		fanout, stride, skip = 0, sha1.Size+offsetSize, offsetSize
	}
	low, high, err := bucket(index, fanout, sum[0])
	if err != nil {
		return false, err
	}
	entry := make([]byte, sha1.Size)
	for low < high {
		middle := low + (high-low)/2
		if err := readAt(index, entry, fanout+fanoutSize+middle*stride+skip); err != nil {
			return false, err
		}
		switch order := bytes.Compare(entry, sum); {
		case order == 0:
			return true, nil
		case order < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return false, nil
}

// bucket returns between which entries the ids lie that begin with a byte.
func bucket(index io.ReaderAt, fanout int64, first byte) (low, high int64, err error) {
	var counts [2 * 4]byte
	if first == 0 {
		err = readAt(index, counts[4:], fanout)
	} else {
		err = readAt(index, counts[:], fanout+4*(int64(first)-1))
	}
	return int64(binary.BigEndian.Uint32(counts[:4])), int64(binary.BigEndian.Uint32(counts[4:])), err
}

// readAt fills b. A file that ends before is no index.
func readAt(index io.ReaderAt, b []byte, offset int64) error {
	_, err := index.ReadAt(b, offset)
	if errors.Is(err, io.EOF) {
		return errIndex
	}
	return err
}
