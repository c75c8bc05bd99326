package engine

import (
	"strings"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

var modelSuffix = lazyre.Pattern{Expr: `(\[[^\]]*\]|-\d{8}|@\d{8})+$`}

// sameModel compares the model that was asked for with the one that answered. A request may name the provider, too.
func sameModel(requested, answered string) bool {
	requested, answered = plainModel(requested), plainModel(answered)
	return requested == answered || strings.HasSuffix(requested, "/"+answered)
}

// plainModel is a model's id without its variant and its date: a harness may say either.
func plainModel(id string) string { return modelSuffix.Re().ReplaceAllString(id, "") }
