package dispatch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// The clone is the one that was named, else the host's project, else the one above the working directory, if it is the user's.
func TestWhichClone(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `touch ran`)
	deep := filepath.Join(c.root, "src", "deep")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(c.root, link); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	for name, s := range map[string]struct {
		args      string
		dir, home string
		env       map[string]string
		ran       bool
	}{
		"--root":                        {"--root " + c.root, elsewhere, "", nil, true},
		"--root, relative":              {"--root .", c.root, "", nil, true},
		"--root, through a link":        {"--root " + link, elsewhere, "", nil, true},
		"--root beats all":              {"--root " + c.root, elsewhere, "", map[string]string{"TEST_PROJECT": elsewhere}, true},
		"the project variable":          {"", elsewhere, "", map[string]string{"TEST_PROJECT": c.root}, true},
		"the second variable":           {"", elsewhere, "", map[string]string{"TEST_PROJECT_OLD": c.root}, true},
		"the second variable, too":      {"", elsewhere, "", map[string]string{"TEST_PROJECT": elsewhere, "TEST_PROJECT_OLD": c.root}, true},
		"a relative variable":           {"", filepath.Dir(c.root), "", map[string]string{"TEST_PROJECT": filepath.Base(c.root)}, false},
		"the project has none":          {"", deep, filepath.Dir(c.root), map[string]string{"TEST_PROJECT": deep}, true},
		"above the working directory":   {"", deep, filepath.Dir(c.root), nil, true},
		"the working directory":         {"", c.root, filepath.Dir(c.root), nil, true},
		"above, not below HOME":         {"", deep, elsewhere, nil, false},
		"above, but HOME itself":        {"", deep, c.root, nil, false},
		"above, HOME is further down":   {"", deep, filepath.Join(c.root, "src"), nil, false},
		"above, and HOME is not known":  {"", deep, "", nil, false},
		"above, HOME has the same name": {"", deep, c.root[:len(c.root)-1], nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			os.Remove(filepath.Join(c.root, "ran"))
			t.Setenv("HOME", s.home)
			for k, v := range s.env {
				t.Setenv(k, v)
			}
			t.Chdir(s.dir)
			c.silent(c.runIn(strings.NewReader(bash), append(strings.Fields(s.args), "native", "PreToolUse")...))
			if c.has("ran") != s.ran {
				t.Errorf("ran: %v", c.has("ran"))
			}
		})
	}
}

func TestForeignManifest(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	for _, rel := range []string{".", ".lorimer", ".lorimer/manifest.json"} {
		t.Run(rel, func(t *testing.T) {
			c := newClone(t).handler(harness.PreToolUse, `touch ran`)
			if err := os.Chown(filepath.Join(c.root, rel), 12345, -1); err != nil {
				t.Skip(err)
			}
			t.Setenv("HOME", filepath.Dir(c.root))
			t.Chdir(c.root)
			c.allowedLoudly(c.runIn(unread{t}, "native", "PreToolUse"), "another user")
			c.blocked(c.runIn(unread{t}, "--fail-closed", "native", "PreToolUse"), "another user")
			if c.has("ran") {
				t.Error("the handler ran")
			}
		})
	}
}

// A link of ours to what is another user's is no better.
func TestForeignManifestBehindALink(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	for _, rel := range []string{".lorimer", ".lorimer/manifest.json"} {
		t.Run(rel, func(t *testing.T) {
			c := newClone(t).handler(harness.PreToolUse, `touch ran`)
			path, elsewhere := filepath.Join(c.root, rel), filepath.Join(t.TempDir(), "theirs")
			if err := errors.Join(os.Rename(path, elsewhere), os.Symlink(elsewhere, path)); err != nil {
				t.Fatal(err)
			}
			t.Setenv("HOME", filepath.Dir(c.root))
			t.Chdir(c.root)
			c.silent(c.runIn(strings.NewReader(bash), "native", "PreToolUse")) // a link to what is the user's own is a way to keep it
			if !c.has("ran") {
				t.Fatal("not run through a link of one's own")
			}
			os.Remove(filepath.Join(c.root, "ran"))
			if err := os.Chown(elsewhere, 12345, -1); err != nil {
				t.Skip(err)
			}
			c.allowedLoudly(c.runIn(unread{t}, "native", "PreToolUse"), "another user")
			if c.has("ran") {
				t.Error("the handler ran")
			}
		})
	}
}

// A link that another user could turn elsewhere is none of ours, whatever it leads to today.
func TestForeignLink(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	for _, rel := range []string{".lorimer", ".lorimer/manifest.json"} {
		c := newClone(t).handler(harness.PreToolUse, `touch ran`)
		path, elsewhere := filepath.Join(c.root, rel), filepath.Join(t.TempDir(), "ours")
		if err := errors.Join(os.Rename(path, elsewhere), os.Symlink(elsewhere, path)); err != nil {
			t.Fatal(err)
		}
		if err := os.Lchown(path, 12345, -1); err != nil {
			t.Skip(err)
		}
		t.Setenv("HOME", filepath.Dir(c.root))
		t.Chdir(c.root)
		c.allowedLoudly(c.runIn(unread{t}, "native", "PreToolUse"), "another user")
		if c.has("ran") {
			t.Error("the handler ran")
		}
	}
}

// The payload's directory is where the agent went, not where its policy is.
func TestNotWhereThePayloadSays(t *testing.T) {
	here, there := newClone(t).handler(harness.PreToolUse, `touch ran`), newClone(t).handler(harness.PreToolUse, `touch ran`)
	there.home = here.home
	there.materialize()
	t.Setenv("LORIMER_HOME", here.home)
	t.Setenv("HOME", filepath.Dir(here.root))
	t.Chdir(here.root)
	here.silent(here.runIn(strings.NewReader(`{"session_id":"s","cwd":"`+there.root+`","tool_name":"Bash"}`), "native", "PreToolUse"))
	if !here.has("ran") || there.has("ran") {
		t.Errorf("ran here: %v, there: %v", here.has("ran"), there.has("ran"))
	}
}

func TestFailClosedWithoutManifest(t *testing.T) {
	c := newClone(t)
	t.Chdir(t.TempDir())
	c.blocked(c.runIn(unread{t}, "--fail-closed", "native", "PreToolUse"), "no manifest found")
}
