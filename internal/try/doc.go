// Package try is `lorimer try`: what would every agent of a clone do with a tool call, and what would its model read?
//
// The user's handlers are really asked, by the dispatcher's own code (dispatch.Try) and once for each agent, because what one
// may say differs. No tool is run and nothing is remembered. Only handlers that the user agreed to are asked: those of a
// trusted manifest, or, where nothing was materialized yet, those that materialize would compile, after a question.
//
// words.go reads the command line, source.go finds the handlers, deeds.go says in words what an agent does with a verdict,
// text.go and json.go show it.
package try
