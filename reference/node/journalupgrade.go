package node

import (
	"bytes"

	"go.etcd.io/bbolt"
)

// journalByID is the format in which events were kept by their ids alone. It is read, and written anew as it is opened.
const journalByID = 2

// upgrade gives every event an ordinal, in one transaction: who is killed in it finds the file as it was.
func upgrade(tx *bbolt.Tx) error {
	for _, name := range [][]byte{bucketStored, bucketHeld} {
		var keys, values [][]byte
		err := tx.Bucket(name).ForEach(func(key, value []byte) error {
			keys, values = append(keys, bytes.Clone(key)), append(values, bytes.Clone(value))
			return nil
		})
		if err != nil {
			return err
		}
		if err := tx.DeleteBucket(name); err != nil {
			return err
		}
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
		s := newShelf(tx, name, nil)
		for i, id := range keys {
			if err := s.put(string(id), values[i]); err != nil { // one that cannot be read stays what it is
				return err
			}
		}
	}
	return putNumber(tx, keyVersion, journalVersion)
}
