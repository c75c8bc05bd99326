// Package prove shows on the installed program that a gate holds. The program is run with a model behind it that calls every
// tool of the catalog, whether it was offered or not; what the program answered, and what the model was told, is what a
// surface is: present, absent, or refused.
//
// Three runs show the whole: without a gate, with everything unlocked (which must be the same), with everything locked. Then
// each feature is locked while the others are open, several in one run where the one cannot hide the other, so that a lock
// that is passed over in silence, or one that takes more along, is seen.
package prove
