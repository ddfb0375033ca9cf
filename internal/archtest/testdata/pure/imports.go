package pure

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/storage/memory"
	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip42"
)

func hidden(ev *nostr.Event, s *memory.Storage) {
	fmt.Println(ev.ID)             // want: pure-func
	fmt.Print(ev.ID)               // want: pure-func
	fmt.Printf("%s", ev.ID)        // want: pure-func
	_ = nostr.Now()                // want: pure-func
	_ = nostr.GeneratePrivateKey() // want: pure-func
	_ = nostr.NewRelay             // want: pure-func
	_ = nostr.NewSimplePool        // want: pure-func
	_ = nostr.RelayConnect         // want: pure-func
	_ = nostr.Filter{}.String()    // want: pure-func
	_ = nostr.Filters{}.String()   // want: pure-func
	_ = nip42.ValidateAuthEvent    // want: pure-func
	_ = capability.DefaultAgent()  // want: pure-func
	_ = s.SetIndex(nil)            // want: pure-func
	_ = ev.CheckID()
	_ = nostr.Timestamp(1)
}
