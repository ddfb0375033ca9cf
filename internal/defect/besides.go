package defect

import (
	"io"
	"net/http"
	"sync"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// besideDefects mix up what pushes to two repositories do at the same time.
func besideDefects() []Defect {
	return []Defect{
		mixing("pushes-of-one-key-mixed", func(one, other repo.ID) bool { return one.Owner == other.Owner }),
		mixing("pushes-of-one-identifier-mixed", func(one, other repo.ID) bool { return one.Identifier == other.Identifier }),
	}
}

// mixing lets a push go to another repository that is being pushed to, where the two are related.
func mixing(name string, related func(one, other repo.ID) bool) Defect {
	var mu sync.Mutex
	under := map[repo.ID]int{} // pushes under way
	return Defect{
		Name: name,
		Front: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				id, ok := repositoryOf(r)
				if !ok || !pushed(r) {
					next.ServeHTTP(w, r)
					return
				}
				count := func(n int) {
					mu.Lock()
					defer mu.Unlock()
					if under[id] += n; under[id] == 0 {
						delete(under, id)
					}
				}
				count(1)
				defer count(-1)
				next.ServeHTTP(w, r)
			})
		},
		Backend: func(b gitstore.Backend) gitstore.Backend {
			return mixed{backend{b}, func(id repo.ID) repo.ID {
				mu.Lock()
				defer mu.Unlock()
				for other := range under {
					if other != id && related(id, other) {
						return other
					}
				}
				return id
			}}
		},
	}
}

// mixed receives pushes into another repository.
type mixed struct {
	backend
	into func(repo.ID) repo.ID
}

func (m mixed) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	return m.Backend.Receive(c, m.into(id), p, pack)
}
