package engine

import "regexp"

var modelSuffix = regexp.MustCompile(`(\[[^\]]*\]|-\d{8}|@\d{8})+$`)

// plainModel is a model's id without its variant and its date: a harness may say either.
func plainModel(id string) string { return modelSuffix.ReplaceAllString(id, "") }
