package descriptor

// trust checks how the host's own program is asked what it trusts.
func (k *checker) trust() {
	t := k.d.Trust
	if t == nil {
		return
	}
	if t.Seen != nil {
		k.onJSON(t.Seen.Where)
	}
	a := t.Ask
	if a == nil {
		return
	}
	k.onJSON(a.Trusted)
	for _, m := range append(a.Open, a.List, a.Write) {
		k.treeTokens(m.Params, tokensOf[RPC]("Params"))
	}
	k.treeTokens(a.Grant, tokensOf[TrustAsk]("Grant"))
	if a.Grant.Set() && !holdsToken(a.Grant, "hash") {
		k.want(a.Grant.Pos, "{hash} in it", "trust.ask.grant does not say what is trusted")
	}
	if a.Write.Params.Set() && !holdsToken(a.Write.Params, "grants") {
		k.want(a.Write.Params.Pos, "{grants} in it", "trust.ask.write does not write what is granted")
	}
}
