package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// ledgers are files in which lines end before, at and behind every bound.
func ledgers() (all []string) {
	for _, torn := range []string{"", "t", "torn, and longer than all parts together"} {
		for n := range 9 {
			for _, line := range []string{"", "a", "bc", "def", "ghijklmnopqrst"} {
				all = append(all, strings.Repeat(line+"\n", n)+torn, strings.Repeat("x\n"+line+"\n", n)+torn)
			}
		}
	}
	return append(all, strings.Repeat("y", 200_000)+"\n", "z\n"+strings.Repeat("y", 200_000)+"\nz\n", strings.Repeat("y", 200_000))
}

func TestPartsAreAllLinesOnceEach(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	for _, ledger := range ledgers() {
		os.WriteFile(path, []byte(ledger), 0o600)
		whole := ledger[:strings.LastIndexByte(ledger, '\n')+1]
		for size := int64(1); size < 12; size++ {
			if len(ledger) > 1000 {
				size += 40_000 // longer than what is read behind a part's stretch
			}
			var mu sync.Mutex
			var got []string
			torn, err := parts(path, 3, size, func(w int, p Part) error {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, make([]string, max(0, p.N+1-len(got)))...)
				got[p.N] += string(p.Lines)
				if len(p.Lines) > 0 && p.Lines[len(p.Lines)-1] != '\n' {
					t.Errorf("%.100q: part %d ends within a line: %.100q", ledger, p.N, p.Lines)
				}
				return nil
			})
			if strings.Join(got, "") != whole || string(torn) != ledger[len(whole):] || err != nil {
				t.Fatalf("%.100q in parts of %d: %.200q, torn %.100q, %v", ledger, size, got, torn, err)
			}
		}
	}
}

func TestLinesAreAllLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	for _, ledger := range ledgers() {
		os.WriteFile(path, []byte(ledger), 0o600)
		var got []string
		torn, err := Lines(path, func(line []byte) error { got = append(got, string(line)); return nil })
		want := strings.Split(ledger, "\n")
		left := want[len(want)-1]
		want = slices.DeleteFunc(want[:len(want)-1], func(s string) bool { return s == "" })
		if !slices.Equal(got, want) || string(torn) != left || err != nil {
			t.Fatalf("%.100q: %.200q, torn %.100q, %v", ledger, got, torn, err)
		}
	}
}

func TestAnErrorEndsTheReading(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	os.WriteFile(path, []byte(strings.Repeat("line\n", 10_000)), 0o600)
	no := errors.New("no")
	calls := 0
	if _, err := Lines(path, func([]byte) error { calls++; return no }); !errors.Is(err, no) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
	calls = 0
	if _, err := parts(path, 1, 10, func(int, Part) error { calls++; return no }); !errors.Is(err, no) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
	if torn, err := Parts(filepath.Join(t.TempDir(), "none"), 2, nil); torn != nil || err != nil {
		t.Errorf("no file: %q, %v", torn, err)
	}
}
