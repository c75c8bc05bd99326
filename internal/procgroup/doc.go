// Package procgroup makes a program that is ended for taking too long take along all that it started.
package procgroup
