package manifest

import "testing"

// Claude writes its settings anew whenever a command is allowed for good. Only what is said of hooks makes a source another.
func TestKeysSource(t *testing.T) {
	const was = `{
    "permissions": {"allow": ["Bash(ls:*)"]},
    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./gate \u00e9", "timeout": 60.0}]}], "PreToolUse": []}
}
`
	s := KeysSource("settings.json", []string{"hooks", "disableAllHooks"}, []byte(was))
	for name, c := range map[string]struct {
		now  string
		same bool
	}{
		"as it was":              {was, true},
		"another byte of layout": {"\ufeff" + was + "\r\n", true},
		"a command is allowed, and the file is laid out anew": {`{
  "permissions": {
    "allow": [
      "Bash(ls:*)",
      "Bash(go test:*)"
    ]
  },
  "hooks": {
    "PreToolUse": [],
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "./gate é",
            "timeout": 60
          }
        ]
      }
    ]
  },
  "model": "opus"
}
`, true},
		"another command":    {`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./gate e", "timeout": 60}]}], "PreToolUse": []}}`, false},
		"another order":      {`{"hooks": {"Stop": [], "PreToolUse": [{"hooks": [{"type": "command", "command": "./gate é", "timeout": 60}]}]}}`, false},
		"hooks are disabled": {`{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./gate é", "timeout": 60}]}], "PreToolUse": []}}`, false},
		"a later key holds":  {was[:len(was)-2] + `, "hooks": {}}`, false},
		"broken":             {was + "x", false},
		"empty":              {"", false},
	} {
		if got := s.Same([]byte(c.now)); got != c.same {
			t.Errorf("%s: same %v", name, got)
		}
	}
	if s.Same(nil) {
		t.Error("a file that is gone is the same as one with hooks")
	}
	none := KeysSource("settings.local.json", []string{"hooks"}, nil)
	if !none.Same([]byte(`{"permissions":{"allow":["Bash(ls:*)"]}}`)) || none.Same([]byte(`{"hooks":{}}`)) || none.Same([]byte("[")) {
		t.Error("a file that comes into being counts when it speaks of hooks, or cannot be read, and only then")
	}
}

func TestWholeSource(t *testing.T) {
	s := WholeSource("lorimer.yaml", []byte("version: 1\n"))
	if !s.Same([]byte("version: 1\n")) || s.Same([]byte("version: 2\n")) || s.Same(nil) || s.As([]byte("x")).Same([]byte("y")) || !s.As([]byte("x")).Same([]byte("x")) {
		t.Error("a whole file is the same byte for byte, and only so")
	}
}
