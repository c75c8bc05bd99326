package certify

import (
	"context"
	"errors"
	"strings"
	"testing"
)

const descriptorText = `id: omp
certified:
  - { package: x, version: "1.0.0", date: "2026-01-01" }
  - package: "@oh-my-pi/pi-coding-agent"   # why
    version: "16.2.13"
    date: "2026-07-01"
    needs: { bun: ">=1.3" }

# what is installed
runtime:
  install:
    npm: { "@oh-my-pi/pi-coding-agent": "16.2.13" }   # exact
`

func TestTheChangeOfADescriptor(t *testing.T) {
	got, err := Change("harnesses/omp.yaml", []byte(descriptorText), old(), "18.2.3", "2026-12-01")
	want := []string{
		`+  - package: "@oh-my-pi/pi-coding-agent"   # why`, `+    version: "18.2.3"`, `+    date: "2026-12-01"`, `+    needs: { bun: ">=1.3" }`,
		`-    npm: { "@oh-my-pi/pi-coding-agent": "16.2.13" }   # exact`, `+    npm: { "@oh-my-pi/pi-coding-agent": "18.2.3" }   # exact`,
	}
	var lines []string
	for line := range strings.Lines(got) {
		if !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") && (line[0] == '+' || line[0] == '-') {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	if err != nil || strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err := Change("x", []byte(descriptorText), old(), "9.10.0", "2026-12-01"); err != nil || !strings.Contains(got, "\n+    version: \"9.10.0\"\n") || strings.Contains(got, "\n-") && strings.Contains(got, "-    npm") ||
		strings.Index(got, "9.10.0") > strings.Index(got, `"16.2.13"`) {
		t.Errorf("an older version: %v\n%s", err, got)
	}
	if got, err := Change("x", []byte(descriptorText), old(), oldest, "2026-12-01"); err != nil || got != "" {
		t.Errorf("the certified version changes something: %v\n%s", err, got)
	}
}

func TestEveryStepIsTaken(t *testing.T) {
	step := func(name string, broken ...string) Step {
		return Step{name, func(context.Context) (Proof, error) { return Proof{Count: "n", Broken: broken}, nil }}
	}
	o := Outcome{Harness: "x", Version: "2.0.0", Certified: "1.0.0"}
	if err := o.Prove(t.Context(), []Step{step("first", "a is\ngone"), step("second")}); err != nil || o.Holds || len(o.Proofs) != 2 {
		t.Errorf("%+v, %v", o, err)
	}
	var b strings.Builder
	if err := o.Show(&b); err != nil || b.String() != "x 2.0.0 (certified: 1.0.0)\n  first   BROKEN  n\n  second  ok      n\nfirst: a is gone\nx 2.0.0 is not certified.\n" {
		t.Errorf("%v\n%s", err, b.String())
	}
	fails := Step{"third", func(context.Context) (Proof, error) { return Proof{}, errors.New("no luck") }}
	if err := o.Prove(t.Context(), []Step{fails}); err == nil || err.Error() != "third: no luck" {
		t.Error(err)
	}
	o = Outcome{Harness: "x", Version: "2.0.0", Certified: "1.0.0"}
	if err := o.Prove(t.Context(), []Step{step("first")}); err != nil || !o.Holds {
		t.Errorf("%+v, %v", o, err)
	}
}
