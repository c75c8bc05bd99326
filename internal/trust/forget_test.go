package trust

import "testing"

func TestForget(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	if err := Forget(home, root); err != nil {
		t.Errorf("nothing to forget: %v", err)
	}
	if err := Record(home, root, []byte("m")); err != nil {
		t.Fatal(err)
	}
	if err := Forget(home, root); err != nil || Check(home, root, []byte("m")) == nil {
		t.Errorf("still trusted: %v", err)
	}
}
