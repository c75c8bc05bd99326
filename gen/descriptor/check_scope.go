package descriptor

// scopes holds every name in every snippet against what the generated module has at that place.
func (k *checker) scopes() {
	if s := k.d.Shim; s != nil {
		outer := k.moduleScope(s)
		k.channelScopes(s, outer)
		k.hostScopes(s.Host, outer)
		for _, r := range k.d.Events.Generative {
			k.rowScope(s, outer, r)
		}
	}
	if f := k.d.Fake; f != nil {
		k.in(scope{"host"}, f.Params)
		play := scope{"host", "session", "n", "text", "call", "active", "play", "how"}
		inAll(k, play.with("event"), f.Args)
		inAll(k, play, f.Events)
		for _, e := range f.Saw {
			inAll(k, play.with("event", "result", "thrown"), e.Value)
		}
	}
}

// moduleScope checks the module's own snippets and returns what all others see of it.
func (k *checker) moduleScope(s *Shim) scope {
	k.parameters(s.Module.Params)
	params := paramScope(nil, s.Module.Params)
	k.in(params, s.Module.Once)
	outer := params.with("rt", "mode", "cap")
	if s.Modes == nil {
		outer = params.with("rt", "cap")
	}
	outer = declare(k, outer, s.Define)
	inAll(k, outer, s.Define)
	k.in(outer, s.Start)
	inAll(k, params.with(s.Define.Keys()...), s.Modes)
	return outer
}

// RowScope returns the names that rows on the channel see of the event: what it lets, else its parameters.
func (c Channel) RowScope() []string {
	if c.Register.Text == "bus" {
		return c.Let.Keys()
	}
	return paramScope(nil, c.Args)
}

func (k *checker) channelScopes(s *Shim, outer scope) {
	for _, e := range s.Channels {
		c := e.Value
		k.in(outer, c.Target)
		k.parameters(c.Args)
		args := paramScope(outer, c.Args)
		k.in(args, c.Type)
		inAll(k, args, c.Let)
		declare(k, outer, c.Let)
		row := outer.with(c.RowScope()...)
		id, _ := s.Session.ID.Get(e.Key)
		parent, _ := s.Session.Parent.Get(e.Key)
		keep, _ := s.Session.Keep.Get(e.Key)
		k.in(row, id, parent)
		k.in(row.with("session"), keep)
	}
}

func (k *checker) hostScopes(h Host, outer scope) {
	k.in(outer.with("session"), h.Cwd, h.Transcript, h.Able, h.MCPServers)
	k.brings(outer.with("session"), "text", h.Inject)
	k.brings(outer.with("session"), "text", h.Notify)
	k.brings(outer, "line", h.Report)
}

// rowScope checks a row's snippets: in each, the event, the session, and the one word that the field adds.
func (k *checker) rowScope(s *Shim, outer scope, r GenerativeRow) {
	_, c, ok := s.ChannelOf(r)
	if !ok {
		return // nobody can say what such a row sees
	}
	event := outer.with(c.RowScope()...)
	if r.Args != nil {
		k.parameters(r.Args)
		event = paramScope(outer, r.Args)
	}
	k.in(event, r.Parent, r.Each)
	row := event.with("session")
	k.in(row, r.When, r.Do, r.Otherwise)
	inAll(k, row, r.Fields)
	if t := r.Tool; t != nil {
		k.in(row, t.Name, t.Input, t.UseID, t.Response)
	}
	k.brings(row, "reason", r.Blocked)
	k.brings(row, "reason", r.Stop)
	k.brings(row, "reason", r.Allow)
	k.brings(row, "input", r.Rewrite)
	k.brings(row, "output", r.Replace)
	k.brings(row, "env", r.Env)
	if r.Context != nil {
		k.brings(row, "context", r.Context.Do)
		k.in(row, r.Context.Key)
	}
	if r.Deliver != nil {
		k.in(row, r.Deliver.Key)
		k.brings(row, "context", r.Deliver.With)
	}
}
