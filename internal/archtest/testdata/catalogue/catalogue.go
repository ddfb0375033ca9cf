// Package catalogue stands in for the catalogue of requirements.
package catalogue

import "time"

type ID string

func (id ID) Section() string { return string(id[:3]) }

const (
	Expiry ID = "G01-PURG-07"
	Wait      = 30 * time.Minute
)

type Level int
