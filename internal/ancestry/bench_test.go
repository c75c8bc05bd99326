package ancestry

import "testing"

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if list, err := Read(); len(list) == 0 {
			b.Fatal(err)
		}
	}
}
