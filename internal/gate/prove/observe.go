package prove

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// What a surface is to the model. Anything else that is seen is said as it is.
const (
	Present = "present"
	Absent  = "absent"
	Refused = "refused"
)

// script makes all calls in the first turn, and ends with the second, in whatever conversation it is. every: each conversation
// has a first turn, because it cannot be told which of them is the session's.
func (p *proof) script(clone string, every bool) fakemodel.Script {
	var calls []fakemodel.Call
	for _, id := range p.ids {
		if name, probe := p.call(id); name != "" {
			quoted := harness.Quoted(clone)
			input := strings.ReplaceAll(string(probe.Input), "{dir}", quoted[1:len(quoted)-1])
			calls = append(calls, fakemodel.Call{Name: name, Input: json.RawMessage(input)})
		}
	}
	return func(r fakemodel.Request) fakemodel.Step {
		if r.Turn == 1 || every && r.Turn <= mostFirst && len(fakemodel.Log{r}.Results()) == 0 {
			return fakemodel.Step{Calls: calls}
		}
		return fakemodel.Say("done")
	}
}

// mostFirst keeps an agent from being sent on for ever that never says what came of a call.
const mostFirst = 4

// call is the tool by which a capability is seen; "" when it is seen in what the model reads.
func (p *proof) call(id string) (string, harness.GateProbe) {
	probe := p.Gate.Prove.Probes[id]
	switch {
	case probe.Input == nil:
		return "", probe
	case probe.Call == "":
		_, name, _ := strings.Cut(id, ":")
		return name, probe
	}
	return probe.Call, probe
}

// see says what each capability was in a run.
func (p *proof) see(r *run) map[string]string {
	seen, n := map[string]string{}, 0
	for _, id := range p.ids {
		name, probe := p.call(id)
		if name == "" {
			seen[id] = read(r.asked, probe.Text)
			continue
		}
		seen[id] = p.judge(id, name, probe, r.asked, n)
		n++
	}
	return seen
}

func read(asked fakemodel.Log, text string) string {
	for _, r := range asked {
		if strings.Contains(string(r.Body), text) {
			return Present
		}
	}
	return Absent
}

// judge reads the answer to the n-th call, and holds it against what was offered.
func (p *proof) judge(id, name string, probe harness.GateProbe, asked fakemodel.Log, n int) string {
	answer, ok := answerTo(asked, n)
	if !ok {
		return "the call was not answered"
	}
	state := p.state(answer, probe)
	offered := slices.Contains(asked[0].Tools, name)
	own := id == "tool:"+name
	switch {
	case own && state == Absent && offered:
		return "offered, and absent when it is called: " + shown(answer)
	case own && state == Present && !offered && !probe.Hidden:
		return "not offered, and there when it is called: " + shown(answer)
	}
	return state
}

func (p *proof) state(answer string, probe harness.GateProbe) string {
	switch {
	case p.absent.MatchString(answer):
		return Absent
	case p.refused != nil && p.refused.MatchString(answer):
		return Refused
	case probe.Text != "" && !strings.Contains(answer, probe.Text):
		return fmt.Sprintf("neither what it does nor a refusal: %s", shown(answer))
	}
	return Present
}

// answerTo is what the n-th of the calls was answered: the model's ids end with the number.
func answerTo(asked fakemodel.Log, n int) (string, bool) {
	for _, part := range asked.Results() {
		if strings.HasSuffix(part.ID, fmt.Sprintf("_%d", n)) {
			return part.Text, true
		}
	}
	return "", false
}
