package harness

// TrustSeen is a file of the host's in which it can be read whether the user trusts a clone's hooks.
type TrustSeen struct {
	File string // slash path in the clone, or "~/" and one below HOME
	// Where must hold of its JSON; none: it is enough that the file is there. {root} in a key is the clone, or a directory above
	// it: the nearest of which the file says anything.
	Where []Predicate
}
