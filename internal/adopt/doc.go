// Package adopt is `lorimer adopt`: it takes over what somebody wrote or edited by hand where lorimer works.
//
// Materialize refuses rather than overrides: a file of ours that somebody edited, an entry of ours that says something else by
// now, a file that was never ours and has the name that an agent wants. Adopt is the way out that loses nothing: each file is
// copied into .lorimer/backup first, then it is what materialize writes. The same is done with a hook that stands in an agent's own
// config and says what a handler says, so that the agent would run it twice: it is taken out there.
package adopt
