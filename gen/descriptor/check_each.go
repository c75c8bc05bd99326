package descriptor

// each checks a row that is for several sessions: the host waits for one answer, and they would give many.
func (k *checker) each(r GenerativeRow) {
	if !r.Each.Set() {
		return
	}
	sync := Pos{}
	if r.Form.Text == "sync" {
		sync = r.Form.Pos
	}
	for _, x := range []keyPlace{
		{"parent", r.Parent.Pos}, {"form: sync", sync}, {"blocked", r.Blocked.Pos}, {"stop", r.Stop.Pos}, {"allow", r.Allow.Pos},
		{"rewrite", r.Rewrite.Pos}, {"replace", r.Replace.Pos}, {"deliver", placeOfDeliver(r.Deliver)},
	} {
		if !x.pos.IsZero() {
			k.mend(x.pos, "take one of the two out", "%s means nothing in a row with each: the host takes one answer, for one session", x.key)
		}
	}
}

func placeOfDeliver(d *Deliver) Pos {
	if d == nil {
		return Pos{}
	}
	return d.Pos
}

// afterNothing is the place of an `after` in a row that neither dispatches nor hands anything out, so has nothing to wait for.
func afterNothing(r GenerativeRow) Pos {
	if r.Deliver != nil {
		return Pos{}
	}
	return r.After.Pos
}
