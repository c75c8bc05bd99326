package engine

import (
	"regexp"
	"strings"
)

var modelSuffix = regexp.MustCompile(`(\[[^\]]*\]|-\d{8}|@\d{8})+$`)

// sameModel compares the model that was asked for with the one that answered. A request may name the provider, too.
func sameModel(requested, answered string) bool {
	requested, answered = plainModel(requested), plainModel(answered)
	return requested == answered || strings.HasSuffix(requested, "/"+answered)
}

// plainModel is a model's id without its variant and its date: a harness may say either.
func plainModel(id string) string { return modelSuffix.ReplaceAllString(id, "") }
