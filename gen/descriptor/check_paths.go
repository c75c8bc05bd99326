package descriptor

// predicatePaths checks the keys of predicates on JSON: gjson takes any text for a path, and then finds nothing.
func (k *checker) predicatePaths() {
	d := k.d
	k.onJSON(d.Speaker)
	for _, r := range d.Events.External {
		k.onJSON(r.Where)
	}
	if h := d.Headless; h != nil {
		for _, e := range h.Stream {
			k.onJSON(e.Value.Where)
		}
		if h.Usage != nil {
			k.onJSON(h.Usage.Where)
			if h.Usage.Check != nil {
				k.onJSON(h.Usage.Check.Where)
			}
		}
	}
	if c := d.Contract; c != nil && c.Denial != nil {
		k.onJSON(c.Denial.Where)
		k.treeTokens(c.Denial.Input, tokensOf[Denial]("Input"))
	}
}

func (k *checker) onJSON(list []Predicate) {
	for _, p := range list {
		if wrong := badGJSON(p.Key.Text); p.Key.Set() && wrong != "" {
			k.want(p.Key.Pos, "a path such as message.role", `the gjson path "%s" %s`, p.Key.Text, wrong)
		}
	}
}
