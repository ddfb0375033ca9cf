package defect

import (
	"io"
	"net/http"
	"sync"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// besideDefects are about what pushes to two repositories do at the same time.
func besideDefects() []Defect {
	return []Defect{
		mixing("pushes-of-one-key-mixed", ofOneKey),
		mixing("pushes-of-one-identifier-mixed", func(one, other repo.ID) bool { return one.Identifier == other.Identifier }),
		stalled("pushes-beside-one-of-the-key-unanswered", ofOneKey),
	}
}

func ofOneKey(one, other repo.ID) bool { return one.Owner == other.Owner }

// underWay counts the pushes that are being answered.
type underWay struct {
	mu     sync.Mutex
	pushes map[repo.ID]int // guarded by mu
}

// count is a push that begins, or with -1 one that ends.
func (u *underWay) count(id repo.ID, n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.pushes == nil {
		u.pushes = make(map[repo.ID]int)
	}
	if u.pushes[id] += n; u.pushes[id] == 0 {
		delete(u.pushes, id)
	}
}

// other is another repository that is being pushed to, if there is one that is related.
func (u *underWay) other(id repo.ID, related func(one, other repo.ID) bool) (repo.ID, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for other := range u.pushes {
		if other != id && related(id, other) {
			return other, true
		}
	}
	return repo.ID{}, false
}

// counted counts the pushes that come.
func (u *underWay) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id, ok := repositoryOf(r); ok && pushed(r) {
			u.count(id, 1)
			defer u.count(id, -1)
		}
		next.ServeHTTP(w, r)
	})
}

// mixing lets a push go to another repository that is being pushed to, where the two are related.
func mixing(name string, related func(one, other repo.ID) bool) Defect {
	var under underWay
	return Defect{
		Name: name, Front: under.counted,
		Backend: func(b gitstore.Backend) gitstore.Backend {
			return mixed{backend{b}, func(id repo.ID) repo.ID {
				if other, is := under.other(id, related); is {
					return other
				}
				return id
			}}
		},
	}
}

// stalled never answers a push that comes while a related repository is being pushed to.
func stalled(name string, related func(one, other repo.ID) bool) Defect {
	var under underWay
	return Defect{Name: name, Front: func(next http.Handler) http.Handler {
		return under.counted(gate(func(_ http.ResponseWriter, r *http.Request) bool {
			id, ok := repositoryOf(r)
			if !ok || !pushed(r) {
				return false
			}
			if _, is := under.other(id, related); !is {
				return false
			}
			bodyOf(r) // that the client has left is seen behind it
			<-r.Context().Done()
			return true
		})(next))
	}}
}

// mixed receives pushes into another repository.
type mixed struct {
	backend
	into func(repo.ID) repo.ID
}

func (m mixed) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	return m.Backend.Receive(c, m.into(id), p, pack)
}
