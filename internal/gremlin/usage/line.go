package usage

import (
	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// Line reads of a line of the ledger what is summed or shown here; the rest of the record stays zero. False: it is no record. A
// ledger of a hundred thousand lines is read so in the time that a decoder of all of it needs for the first few thousand.
func Line(line []byte) (r record.Result, ok bool) {
	if !gjson.ValidBytes(line) {
		return r, false
	}
	top := gjson.ParseBytes(line)
	top.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "job":
			r.Job = v.Str
		case "kind":
			r.Kind = v.Str
		case "block":
			r.Block = textAt(v)
		case "phase":
			r.Phase = int(v.Int())
		case "status":
			r.Status = v.Str
		case "flags":
			v.ForEach(func(_, flag gjson.Result) bool { r.Flags = append(r.Flags, flag.Str); return true })
		case "session":
			r.Session = textAt(v)
		case "tokens":
			r.Tokens = tokensAt(v)
		case "cost_delta_usd":
			if v.Type == gjson.Number {
				r.CostDeltaUSD = &v.Num
			}
		case "cache":
			r.Cache = textAt(v)
		case "wall_s":
			r.WallS = v.Num
		}
		return true
	})
	return r, r.Kind != ""
}

func textAt(v gjson.Result) *string {
	if v.Type != gjson.String {
		return nil
	}
	return &v.Str
}

func tokensAt(v gjson.Result) *record.Tokens {
	if !v.IsObject() {
		return nil
	}
	t := &record.Tokens{}
	v.ForEach(func(key, n gjson.Result) bool {
		switch key.Str {
		case "input":
			t.Input = n.Int()
		case "output":
			t.Output = n.Int()
		case "cache_creation":
			t.CacheCreation = n.Int()
		case "cache_creation_1h":
			t.CacheCreation1h = n.Int()
		case "cache_creation_5m":
			t.CacheCreation5m = n.Int()
		case "cache_read":
			t.CacheRead = n.Int()
		}
		return true
	})
	return t
}
