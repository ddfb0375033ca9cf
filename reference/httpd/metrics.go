package httpd

import (
	"log/slog"
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/graspkit/graspkit/reference/node"
)

// MetricsPath is where [Server.Metrics] has the metrics, in the text format of Prometheus:
//
//	grasp_<noun>_facts_total{fact="..."}   how often something has happened since the start, by noun and fact
//	go_*, process_*                        memory, goroutines, file descriptors and processor time of the process
//	grasp_sync_*                           how the server stands to other relays, if it replicates; see relayCollector
//
// Noun and fact are the two halves of a name in node.Counts, at the first underscore: event_held is counted in
// grasp_event_facts_total{fact="held"}. A fact that has not happened yet is absent. Nothing that a client chooses is in
// a name or a label, so no client decides how much memory the metrics take; but for the URLs of so many relays as
// replicate.NamedMax says.
const MetricsPath = "/metrics"

// metricsAtOnce is how many answers with metrics are made at the same time; more are told to come back.
const metricsAtOnce = 4

// newMetrics returns the handler of MetricsPath.
func newMetrics(counts func() []node.Count, relays relayCollector, log *slog.Logger) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		factCollector{counts},
		relays,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError),
		// A collector that fails, as one may on a strange machine, takes nothing from the others.
		ErrorHandling:       promhttp.ContinueOnError,
		DisableCompression:  true,
		MaxRequestsInFlight: metricsAtOnce,
	})
}

// Metrics serves MetricsPath to GET and HEAD and nothing else, for a listener of its own: what a server does is not for
// everybody who may use it.
func (s *Server) Metrics() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+MetricsPath, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		s.metrics.ServeHTTP(w, r)
	})
	return mux
}

// A factCollector turns what a node has counted into metrics. It keeps nothing of its own.
type factCollector struct {
	counts func() []node.Count
}

// Describe sends nothing: the collector is unchecked, because facts appear as they happen.
func (factCollector) Describe(chan<- *prometheus.Desc) {}

// Collect sends one counter for each fact.
func (c factCollector) Collect(out chan<- prometheus.Metric) {
	for _, count := range c.counts() {
		noun, fact, _ := strings.Cut(count.Name, "_")
		desc := prometheus.NewDesc("grasp_"+noun+"_facts_total",
			"How often something has happened to this noun since the start: "+noun+".", []string{"fact"}, nil)
		metric, err := prometheus.NewConstMetric(desc, prometheus.CounterValue, float64(count.N), fact)
		if err != nil { // a name that is none in Prometheus
			metric = prometheus.NewInvalidMetric(desc, err)
		}
		out <- metric
	}
}
