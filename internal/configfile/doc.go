// Package configfile is the format of lorimer.yaml: one Go field a YAML key, with what it means, and what can be judged of a
// file by itself.
//
// It is apart from package config, which compiles the file for the harnesses of a machine, so that the generator can make an
// editor's schema of the very structs that the loader fills. The comments of the fields are the texts that an editor shows,
// so they are written for people who never saw this code.
package configfile
