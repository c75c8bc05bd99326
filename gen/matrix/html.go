package matrix

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"
	"sync"
)

//go:embed page.html
var pageText string

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"class": class, "host": bare}).Parse(pageText))
})

// HTML is the matrix as one page that needs nothing else.
func (m Matrix) HTML() ([]byte, error) {
	var b bytes.Buffer
	err := page().Execute(&b, map[string]any{
		"AsOf": m.AsOf, "Harnesses": m.Harnesses, "Sections": m.sections(), "Width": len(m.Harnesses) + 1,
		"Proven": m.count(true), "Claimed": m.count(false),
	})
	return b.Bytes(), err
}

func (m Matrix) count(proven bool) (n int) {
	for _, h := range m.Harnesses {
		if (h.Proof != nil) == proven {
			n++
		}
	}
	return n
}

// class is how a cell looks.
func class(c shownCell) string {
	classes := []string{"c"}
	if c.State != "" {
		classes = append(classes, string(c.State))
	}
	if c.Proven {
		classes = append(classes, "proven")
	}
	return strings.Join(classes, " ")
}

// bare is a URL as people read it.
func bare(url string) string { return strings.TrimPrefix(url, "https://") }
