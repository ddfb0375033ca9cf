package scenarios

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"github.com/graspkit/graspkit/internal/yamlfile"
	"github.com/graspkit/graspkit/sim/workload"
)

// WeightMax is the largest weight of an operation.
const WeightMax = 1000

// people reads how the actors behave.
func (r *reader) people(p *workload.Profile) func(ast.Node) error {
	return func(n ast.Node) error {
		var chain string
		err := r.mapping("people", n, []field{
			{"maintainers", false, r.count(&p.Maintainers, workload.MaintainersMax)},
			{"chain", false, r.text(&chain, 64, "one of line, circle, drawn", func(s string) bool {
				return s != "" && slices.Contains(workload.Chains(), workload.Chain(s))
			})},
			{"identifiers", false, r.count(&p.Identifiers, 1000)},
			{"owners", false, r.count(&p.Owners, 1000)},
			{"keys", false, r.count(&p.Keys, 1_000_000)},
			{"aliases", false, r.yes(&p.Aliases)},
			{"dated", false, r.share(&p.Dated, whole)},
			{"partly", false, r.share(&p.Partly, whole)},
			{"listing", false, r.share(&p.Listing, whole)},
			{"retried", false, r.share(&p.Retried, whole)},
			{"team", false, r.weights("team", &p.Team)},
			{"stranger", false, r.weights("stranger", &p.Stranger)},
		})
		p.Chain = workload.Chain(chain)
		return err
	}
}

// weights reads how often each operation is drawn.
func (r *reader) weights(what string, w *workload.Weights) func(ast.Node) error {
	return func(n ast.Node) error {
		fields := make([]field, 0, workload.Ops)
		for op := range workload.Ops {
			fields = append(fields, field{op.String(), false, r.count(&w[op], WeightMax)})
		}
		if err := r.mapping(what, n, fields); err != nil {
			return err
		}
		if *w == (workload.Weights{}) {
			return yamlfile.At(r.file, n, what+" does nothing", "name an operation, or leave it out")
		}
		return nil
	}
}
