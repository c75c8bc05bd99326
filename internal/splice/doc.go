// Package splice edits JSON and JSONC files that belong to someone else.
//
// A settings file is the user's. Rewriting it from a parsed value loses comments, order, number spellings and whatever key
// this build has never heard of, so nothing here ever prints a document: the parser is used to find places, and the edits
// are byte edits in the original text. Put brings a file to the state in which exactly the wanted entries of ours stand in
// it; Put with nothing wanted takes ours out again. Between the two the user may have edited the file, an editor may have
// reformatted it, and the host itself may have rewritten it: our entries are recognised by what they say (File.Mine), never
// by position, and what stands around them is kept.
//
// What must hold, and is tested over generated documents:
//
//	remove(insert(x)) == x, byte for byte
//	insert(insert(x)) == insert(x)
//	remove(edit(insert(x))) == edit(x) for an edit that does not touch our entries
//
// What cannot be edited safely is refused with the place, and nothing is guessed.
package splice
