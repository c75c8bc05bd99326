// The failure policy: when hooks cannot run, the event passes, aloud, unless a handler is set to block then.

const PROTOCOL = 1; // of CONFIG and the dispatcher

/** PASS is the verdict when nobody has anything to say. */
export const PASS = Object.freeze({ blocked: false, reason: "", context: "" });

/** failed gives the verdict on an event whose hooks did not run; blocked: one of them is set to block then. */
export function failed(event, fault, blocked, reportOnce) {
  const remedy = 'Run "lorimer materialize" in the project to repair it.';
  reportOnce(`${event} ${blocked ? "blocked" : "allowed"}: its hooks did not run: ${fault}. ${remedy}`, `${blocked} ${fault}`);
  if (!blocked) return PASS;
  return { ...PASS, blocked, reason: `The ${event} hooks could not run, and one of them is set to block then: ${fault}. ${remedy}` };
}

/** protocolFault is set when CONFIG was written for another runtime. */
export function protocolFault({ protocol }) {
  return protocol === PROTOCOL ? "" : `CONFIG speaks protocol ${protocol}, the shim around it ${PROTOCOL}`;
}
