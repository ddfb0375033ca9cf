package suite

import "github.com/graspkit/graspkit/conformance/client"

// reportsEach judges that the report of the last push has a line for each of its refs.
func (w *world) reportsEach() outcome {
	report, is := w.git.pushed.answer.(client.PushReport)
	if !is {
		return outcome{} // that it succeeded was judged before
	}
	for _, row := range w.git.pushed.rows {
		if _, named := report.Ref(row[0]); !named && len(report.Refs) > 0 {
			return violated("the report says nothing of %s: %v", row[0], report)
		}
	}
	return outcome{}
}

// mayHave ends a check whose pushes name what the server does not offer: git would not send it.
func (w *world) mayHave(capability string) outcome {
	advert, is := w.advertise(w.path("owner"), client.ReceivePack).(client.Advert)
	if !is {
		return outcome{} // the push says what is wrong
	}
	if _, offered := advert.Cap(capability); !offered {
		return notApplicable("%s is not offered: the capabilities are %v", capability, advert.Caps)
	}
	return outcome{}
}
