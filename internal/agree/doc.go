// Package agree is `lorimer trust`: it shows what a clone's manifest would run that nobody on this machine agreed to yet, asks,
// and records the answer.
//
// What is recorded are the bytes that were shown, not what stands there once the answer comes. And what is shown was perhaps
// written by somebody who does not want it to be seen: nothing of it steers a terminal.
package agree
