// Package server is a plant: what a server may and may not take from the catalogue.
package server

import (
	"time"

	"github.com/graspkit/graspkit/internal/archtest/testdata/catalogue"
)

type ruling struct {
	requirement catalogue.ID
	level       catalogue.Level // want: spec-ids-only
}

func expire(age time.Duration) ruling {
	if age > catalogue.Wait { // want: spec-ids-only
		return ruling{requirement: catalogue.Expiry}
	}
	_ = catalogue.Expiry.Section()
	return ruling{}
}
