package client

import "strings"

// What a push may need of a server, as its advertisement says it.
const (
	OffersReports   = "report-status" // without it git cannot tell a refusal from a success
	OffersDeletions = "delete-refs"   // without it git sends no deletion
)

// CapsFor are the capabilities that a push claims after an advertisement: those of CapsDefault that are offered, as git
// claims them, and a report in any case, because without one nobody could say what became of the push.
func CapsFor(advert Advert) string {
	claimed := []string{OffersReports}
	for _, word := range strings.Fields(CapsDefault) {
		name, _, _ := strings.Cut(word, "=")
		if _, offered := advert.Cap(name); offered && name != OffersReports {
			claimed = append(claimed, word)
		}
	}
	return strings.Join(claimed, " ")
}

// Lacks returns what commands need and an advertisement does not offer, or "".
func (o Advert) Lacks(commands []Command) string {
	if _, offered := o.Cap(OffersReports); !offered {
		return OffersReports
	}
	if _, offered := o.Cap(OffersDeletions); offered {
		return ""
	}
	for _, c := range commands {
		if c.New == ZeroOID && c.Old != ZeroOID {
			return OffersDeletions
		}
	}
	return ""
}
