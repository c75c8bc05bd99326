// Package certify keeps the versions of harnesses that Lorimer answers for: it installs one below a root of Lorimer's own,
// holds what it says of itself against what is certified, starts it in a home of its own, and sees whether what is known of it
// still holds.
//
// It knows no harness: a harness is a harness.Certified. What it does to the world stands in Effects, so that all that is
// decided here is tested without a world.
//
// Nothing of the user's is read or written but what a command line names: every path lies below the root, and Ensure refuses
// one that does not.
package certify
