// Package meant guesses which of the names that there are somebody meant by one that there is not.
package meant

import (
	"strconv"
	"strings"
)

// DidYouMean returns `did you mean "x"?` for the known name that is nearest to name, or "" when none is near.
func DidYouMean(name string, known []string) string {
	best, least := "", (len(name)+4)/3 // one slip in a word of two letters, two in one of five
	if len(name) > 40 {
		return ""
	}
	for _, k := range known {
		if d := distance(plain(name), plain(k)); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean " + strconv.Quote(best) + "?"
}

// Ending is DidYouMean as the end of a sentence: it begins with "; ", or is empty.
func Ending(name string, known []string) string {
	if hint := DidYouMean(name, known); hint != "" {
		return "; " + hint
	}
	return ""
}

// plain makes spellings of one word equal: useId, use-id and use_id.
func plain(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
}

// distance counts the letters to insert, delete, replace or swap with their neighbour to get from a to b.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	var older []int
	last := make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row := make([]int, len(t)+1)
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, last = last, row
	}
	return last[len(t)]
}
