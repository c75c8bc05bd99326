package harness

// Reply is what the dispatcher answers to the process that started it.
type Reply struct {
	Exit   int // 0 or 2, nothing else
	Stdout string
	Stderr string
}

// And says two things at once: a host reads one answer, and a verdict may have several effects. Of two objects on a stream it
// makes one, with the members of both down through objects of the same name; what both have is said as r says it.
func (r Reply) And(more Reply) Reply {
	return Reply{Exit: max(r.Exit, more.Exit), Stdout: bothTexts(r.Stdout, more.Stdout), Stderr: bothTexts(r.Stderr, more.Stderr)}
}

func bothTexts(a, b string) string {
	ours, okA := membersOf(a)
	theirs, okB := membersOf(b)
	if !okA || !okB {
		return a + b
	}
	return merged(ours, theirs) + "\n"
}

func merged(ours, theirs []member) string {
	var out Payload
	for _, m := range ours {
		out.Raw(m.key, both(m.raw, valueOf(theirs, m.key)))
	}
	for _, m := range theirs {
		if !has(ours, m.key) {
			out.Raw(m.key, m.raw)
		}
	}
	return string(out.Bytes())
}

func both(a, b string) string {
	ours, okA := membersOf(a)
	theirs, okB := membersOf(b)
	if !okA || !okB {
		return a
	}
	return merged(ours, theirs)
}

func valueOf(members []member, key string) string {
	for _, m := range members {
		if m.key == key {
			return m.raw
		}
	}
	return ""
}
