package claudehooks

import (
	"bytes"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// managed reads a file that an organization set. All of this is measured (e2e/settings_managed_test.go).
func (r Reader) managed(src []byte) (s Source) {
	if len(bytes.TrimSpace(src)) == 0 {
		return s
	}
	top, fault := r.object(src)
	if fault != nil {
		return Source{Faults: strictyaml.Faults{refused(*fault)}, Any: true}
	}
	if hooks := top.Get("hooks"); hooks != nil {
		s = r.Hooks(hooks)
	}
	only, disabled := only(top.Get(OnlyKey)), (*bool)(nil)
	d := top.Get("disableAllHooks")
	if d != nil && d.Kind == Bool {
		disabled = &d.Bool
	}
	if s.Void { // but what is strict holds
		s.Only, s.Disabled = whenTrue(only), whenTrue(disabled)
		return s
	}
	s.Env, s.Only, s.Disabled = rawEnv(src), only, disabled
	s.Any = s.Any || only != nil || disabled != nil
	if d != nil && disabled == nil {
		f := strictyaml.At(r.File, d.Pos, "disableAllHooks is no boolean")
		f.Hint = "Claude passes over it"
		s.Warnings = append(s.Warnings, f)
	}
	return s
}

func whenTrue(b *bool) *bool {
	if b != nil && *b {
		return b
	}
	return nil
}

// only is what the value of allowManagedHooksOnly comes to: whatever cannot be understood is taken for the stricter.
func only(n *Node) *bool {
	if n == nil || n.Kind == Null {
		return nil
	}
	is := !(n.Kind == Bool && !n.Bool || n.Kind == Text && n.Text == "false")
	return &is
}

// refused is what Claude does not start with, so that no other agent's hooks are made of it either.
func refused(f strictyaml.Fault) strictyaml.Fault {
	f.Hint = "Claude does not start with it: whoever manages this machine has to mend it"
	return f
}
