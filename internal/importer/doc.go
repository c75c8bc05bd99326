// Package importer is `lorimer import`: it moves the hooks that stand in a host's own settings, in the protocol that handlers
// speak, into the clone's lorimer.yaml, where they can be given an order, harnesses and more that the settings cannot say.
//
// A hook must stand in one place at a time: in both, the host would run it twice. And at no moment may it stand in none, or a
// guard is missing while we work. So lorimer.yaml is written first and materialized, and only then are the hooks taken out of the
// settings; killed in between, the next run finds what is in both, and only takes it out.
//
// What cannot be moved stays where it is, and is said: what only the host itself can run, and what it drops.
package importer
