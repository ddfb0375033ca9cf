package node

import (
	"bytes"

	"go.etcd.io/bbolt"
)

// Older formats that are read. The one between them and this one had no logs.
const journalByID = 2 // events are kept by their ids alone

// upgrade makes a file one of this format, in one transaction: who is killed in it finds the file as it was.
func upgrade(tx *bbolt.Tx, from uint64) error {
	if from == journalByID {
		if err := giveOrdinals(tx); err != nil {
			return err
		}
	}
	return putNumber(tx, keyVersion, journalVersion)
}

// giveOrdinals gives every event an ordinal.
func giveOrdinals(tx *bbolt.Tx) error {
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
	return nil
}
