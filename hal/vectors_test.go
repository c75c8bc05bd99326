package hal

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/halvector"
)

// said is what all methods answer.
type said struct {
	Provider, By, Session string
	halvector.Answers
	Warnings int
}

// TestVectors: what every implementation of the HAL must answer.
func TestVectors(t *testing.T) {
	vectors := halvector.Load(t, "testdata/vectors.json")
	if len(vectors) < 260 {
		t.Errorf("only %d vectors", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			h := New(Options{
				Runtime: v.Runtime, RuntimeVersion: v.Version, Dir: v.World(t),
				Getenv:    func(name string) string { return v.Env[name] },
				Ancestors: func() ([]Ancestor, error) { return ancestors(t, v) },
			})
			want := said{Provider: v.Want.Provider, By: v.Want.By, Answers: v.Want.Common, Warnings: v.Want.Warnings}
			if v.Want.Session != nil {
				want.Session = *v.Want.Session
			}
			if diff := cmp.Diff(want, ask(h)); diff != "" {
				t.Errorf("-want +got:\n%s\n%+v", diff, h.Explain())
			}
		})
	}
}

func ancestors(t *testing.T, v halvector.Vector) (list []Ancestor, err error) {
	tree, err := v.Tree(t)
	for _, p := range tree {
		list = append(list, Ancestor(p))
	}
	return list, err
}

func ask(h *HAL) said {
	s := said{Provider: string(h.DetectProvider()), By: h.Explain().By, Warnings: len(h.Warnings())}
	s.Session, _ = h.GetSessionID()
	s.Answers = halvector.Answers{
		Startup: string(h.GetStartupStrategy()), GUPP: string(h.GetGUPPStrategy()),
		Hooks: h.SupportsHooks(), Nudge: h.SupportsNudge(), Restart: h.SupportsRestart(),
		Stall: seconds(h.GetStallThreshold()), Interval: seconds(h.GetNudgeInterval()),
		Person: h.GetStartupCommands(Crew), Autonomous: h.GetStartupCommands(Polecat),
	}
	return s
}

func seconds(d time.Duration) float64 { return d.Seconds() }
