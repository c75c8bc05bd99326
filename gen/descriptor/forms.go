package descriptor

import (
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/schema"
)

// Forms are what the model's tags `form:"x"` and `keys:"x"` name, for the schema. The checks of check_*.go use the same
// expressions and lists.
func Forms() map[string]*schema.Schema {
	events, effects := names(harness.Events), names(harness.Effects)
	return map[string]*schema.Schema{
		"id":        schema.Text("an id: lower-case letters, digits and single hyphens", idForm.Re().String()),
		"https":     schema.Text("an https:// URL", homepageForm.Re().String()),
		"text":      {Type: schema.Types{"string"}, MinLength: 1, Noun: "a text"},
		"date":      {Type: schema.Types{"string"}, Format: "date", Pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`, Noun: "a date, YYYY-MM-DD"},
		"variable":  schema.Text("an environment variable", variable.Re().String()),
		"variables": schema.Text("an environment variable, or the beginning of some with a * behind", pattern.Re().String()),
		"variable?": schema.Text("an environment variable, or nothing", `^(?:[A-Za-z_][A-Za-z0-9_]*)?$`),
		"cell":      schema.Words(append([]string{"name"}, harness.Cells...)...),
		"base":      schema.Words(append(slices.Clone(BaseKeys), Named)...),
		"effect":    schema.Words(effects...),
		"event":     schema.Words(events...),
		"limit":     schema.Words(append([]string{"*"}, events...)...),
		"method":    schema.Words(methodNames...),
		"surface":   schema.Words(surfaceKinds...),
		"name":      schema.Text("a JavaScript name", identifier.Re().String()),
		"status":    {Type: schema.Types{"integer"}, AnyOf: []*schema.Schema{{Const: 0}, {Const: 2}}, Noun: "0 or 2"},
		"exe":       schema.Text("the base name of an executable, without .exe", `^(?:[^/\\]*[^/\\e]|(?:[^/\\]*[^/\\x])?e|(?:[^/\\]*[^/\\e])?xe|(?:[^/\\]*[^/\\.])?exe|)$`),
		"managed":   schema.Text("an absolute path that ends with .json", managedForm.Re().String()),
		"share":     {Type: schema.Types{"number"}, Minimum: number0(0), Maximum: number0(1), Noun: "a number from 0 to 1"},
	}
}

func number0(n float64) *float64 { return &n }
