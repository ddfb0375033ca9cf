package timeline

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// RowsMax is how many records an SVG shows at most: more would be a picture that no program opens.
const RowsMax = 5000

// Measures of a picture.
const (
	rowHeight  = 18
	laneWidth  = 96
	timeWidth  = 130
	headHeight = 70
	wordsWidth = 760
	wordsMax   = 110 // characters
)

const style = `text{font:12px monospace;fill:#222}.t{fill:#777}.h{font-weight:bold}.w{font-weight:bold;fill:#b00}` +
	`line{stroke:#555;stroke-width:1.2}.lane{stroke:#ddd;stroke-width:1}.up{stroke:#7a9cc6;stroke-width:3}` +
	`.down{stroke:#c33;stroke-width:1.5;stroke-dasharray:3 4}.lost{stroke:#c33;stroke-width:1.8}circle{fill:#345}.odd{fill:#f6f6f6}.wrong{fill:#fdd}`

// picture writes the elements of an SVG.
type picture struct {
	strings.Builder

	x map[string]int // of lanes
}

// SVG draws the timeline as a picture that needs nothing else: at most RowsMax rows.
func (t *Timeline) SVG(title string) string {
	lanes := t.lanes()
	rows := t.rows[:min(len(t.rows), RowsMax)]
	width := timeWidth + len(lanes)*laneWidth + wordsWidth
	height := headHeight + (len(rows)+1)*rowHeight
	p := &picture{x: map[string]int{}}
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`+"\n", width, height, width, height)
	fmt.Fprintf(p, "<title>%s</title>\n<style>%s</style>\n", escaped(title), style)
	p.WriteString(`<defs><marker id="a" markerWidth="8" markerHeight="8" refX="7" refY="3.5" orient="auto"><path d="M0,0 L7,3.5 L0,7 z" fill="#555"/></marker></defs>` + "\n")
	fmt.Fprintf(p, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	p.text(8, 20, "h", title)
	for i, r := range rows {
		switch y := rowAt(i) - rowHeight/2; {
		case r.violated:
			fmt.Fprintf(p, `<rect class="wrong" x="0" y="%d" width="%d" height="%d"/>`+"\n", y, width, rowHeight)
		case i%2 == 1:
			fmt.Fprintf(p, `<rect class="odd" x="0" y="%d" width="%d" height="%d"/>`+"\n", y, width, rowHeight)
		}
	}
	for i, name := range lanes {
		p.x[name] = timeWidth + i*laneWidth + laneWidth/2
		p.lane(t, name, rows)
		fmt.Fprintf(p, `<text class="h" x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", p.x[name], headHeight-18+i%2*12-6, escaped(cut(name, 2*laneWidth/8)))
	}
	for i, r := range rows {
		p.row(t, r, rowAt(i), width-wordsWidth+10)
	}
	p.WriteString("</svg>\n")
	return p.String()
}

// rowAt is the middle of a row.
func rowAt(i int) int { return headHeight + i*rowHeight + rowHeight/2 }

// lane draws the line of a node, in pieces where it is down.
func (p *picture) lane(t *Timeline, name string, rows []row) {
	x, from, down := p.x[name], headHeight-6, t.before[name]
	piece := func(to int) {
		class := "lane"
		switch {
		case down:
			class = "down"
		case isServer(name):
			class = "up"
		}
		fmt.Fprintf(p, `<line class="%s" x1="%d" y1="%d" x2="%d" y2="%d"/>`+"\n", class, x, from, x, to)
		from = to
	}
	for i, r := range rows {
		if r.node == name && (r.ended || r.start) {
			piece(rowAt(i))
			down = r.ended
		}
	}
	piece(headHeight + len(rows)*rowHeight)
}

// row draws what happened: a dot at the node, an arrow to or from the peer, a cross for what was lost.
func (p *picture) row(t *Timeline, r row, y, words int) {
	x := p.x[r.node]
	p.text(8, y+4, "t", t.clock(r.record.At))
	end := x
	if r.peer != "" && r.peer != r.node {
		from, to := x, p.x[r.peer]
		if r.inward {
			from, to = to, from
		}
		fmt.Fprintf(p, `<line x1="%d" y1="%d" x2="%d" y2="%d" marker-end="url(#a)"/>`+"\n", from, y, to, y)
		end = (from + to) / 2
	}
	if r.lost || r.ended {
		if r.lost && r.peer == "" { // to nobody knows whom
			end = x + laneWidth/3
			fmt.Fprintf(p, `<line class="lost" x1="%d" y1="%d" x2="%d" y2="%d"/>`+"\n", x, y, end, y)
		}
		fmt.Fprintf(p, `<line class="lost" x1="%d" y1="%d" x2="%d" y2="%d"/>`+"\n", end-5, y-5, end+5, y+5)
		fmt.Fprintf(p, `<line class="lost" x1="%d" y1="%d" x2="%d" y2="%d"/>`+"\n", end-5, y+5, end+5, y-5)
	}
	if !r.ended {
		fmt.Fprintf(p, `<circle cx="%d" cy="%d" r="3.5"/>`+"\n", x, y)
	}
	class := ""
	if r.violated || r.ended {
		class = "w"
	}
	p.text(words, y+4, class, cut(fmt.Sprintf("#%d %s", r.record.Seq, r.words()), wordsMax))
}

func (p *picture) text(x, y int, class, text string) {
	if class != "" {
		class = fmt.Sprintf(` class="%s"`, class)
	}
	fmt.Fprintf(p, `<text%s x="%d" y="%d">%s</text>`+"\n", class, x, y, escaped(text))
}

// escaped is a text as an XML document has it.
func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic("timeline: invariant: " + err.Error()) // a Builder takes everything
	}
	return b.String()
}
