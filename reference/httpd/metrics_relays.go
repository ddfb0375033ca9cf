package httpd

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/graspkit/graspkit/reference/core"
)

// relaysWait bounds how long the metrics wait for the node, which may be at work.
const relaysWait = 5 * time.Second

// A relayCollector turns how a node stands to other relays into metrics. It keeps nothing of its own. Relays have series of their
// own as far as core.RelaysReport names them; the attempts at all others are counted without a label.
type relayCollector func(ctx context.Context) (core.RelaysReport, bool, error)

// What is told of relays. The names are those that operators of other GRASP servers know, but for the prefix.
var (
	relayConnected = prometheus.NewDesc("grasp_sync_relay_connected",
		"0 disconnected, 1 connecting, 2 syncing, 3 connected, 4 connected with failures, 5 disconnecting.", []string{"relay"}, nil)
	relayStatus = prometheus.NewDesc("grasp_sync_relay_status",
		"1 healthy, 2 disconnected, 3 degraded, 4 dead, 5 rate limited.", []string{"relay"}, nil)
	relayFailures = prometheus.NewDesc("grasp_sync_relay_failures", "Connections that failed in a row.", []string{"relay"}, nil)
	relayAttempts = prometheus.NewDesc("grasp_sync_connection_attempts_total",
		"Attempts at connections, of relays without a series of their own together.", []string{"relay", "result"}, nil)
	eventsSynced = prometheus.NewDesc("grasp_sync_events_synced_total", "Events of other relays that have come to be served.", nil, nil)

	relaysTracked   = prometheus.NewDesc("grasp_sync_relays_tracked_total", "Relays that are known now.", nil, nil)
	relaysConnected = prometheus.NewDesc("grasp_sync_relays_connected_total", "Relays that are connected to now.", nil, nil)
	relaysDead      = prometheus.NewDesc("grasp_sync_relays_dead_total", "Relays that are given up for dead now.", nil, nil)
)

// Describe sends nothing: the collector is unchecked, because a server that does not replicate has none of it.
func (relayCollector) Describe(chan<- *prometheus.Desc) {}

// Collect sends nothing of a node that does not replicate, or has ended, or does not answer in time.
func (c relayCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), relaysWait)
	defer cancel()
	report, is, err := c(ctx)
	if err != nil || !is {
		return
	}
	send := func(desc *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		metric, err := prometheus.NewConstMetric(desc, kind, value, labels...)
		if err != nil { // a label that is none in Prometheus
			metric = prometheus.NewInvalidMetric(desc, err)
		}
		out <- metric
	}
	for _, r := range report.Relays {
		send(relayConnected, prometheus.GaugeValue, float64(r.Status), r.URL)
		send(relayStatus, prometheus.GaugeValue, float64(r.Health), r.URL)
		send(relayFailures, prometheus.GaugeValue, float64(r.Failures), r.URL)
		send(relayAttempts, prometheus.CounterValue, float64(r.Succeeded), r.URL, "success")
		send(relayAttempts, prometheus.CounterValue, float64(r.Failed), r.URL, "failure")
	}
	send(relayAttempts, prometheus.CounterValue, float64(report.Others.Succeeded), "", "success")
	send(relayAttempts, prometheus.CounterValue, float64(report.Others.Failed), "", "failure")
	send(eventsSynced, prometheus.CounterValue, float64(report.Saved))
	send(relaysTracked, prometheus.GaugeValue, float64(report.Tracked))
	send(relaysConnected, prometheus.GaugeValue, float64(report.Connected))
	send(relaysDead, prometheus.GaugeValue, float64(report.Dead))
}
