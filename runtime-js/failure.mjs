// The failure policy: when hooks cannot run, the event passes and one loud line says so; unless one of its handlers is
// declared to block then. Both are decided here, for every fault there is.

/** The version of the contract with CONFIG and the dispatcher. */
export const PROTOCOL = 1;

const REMEDY = 'Run "lorimer materialize" in the project to repair it';

/** createFailurePolicy returns fail(event, fault), which gives the verdict of an event whose hooks did not run. */
export function createFailurePolicy(config, reportOnce) {
  const closed = new Set(config.fail_closed);
  return function fail(event, fault) {
    const outcome = closed.has(event) ? "blocked" : "allowed";
    reportOnce(`${event} ${outcome}: its hooks did not run: ${fault}. ${REMEDY}.`, `${outcome} ${fault}`);
    if (outcome === "allowed") return PASS;
    return {
      blocked: true,
      reason: `The ${event} hooks of this project could not run (${fault}), and one of them is set to block then. ${REMEDY}.`,
      context: "",
    };
  };
}

/** PASS is the verdict on an event that nobody had anything to say about. */
export const PASS = Object.freeze({ blocked: false, reason: "", context: "" });

/** protocolFault is set when CONFIG was written for another runtime than this one. */
export function protocolFault({ protocol }) {
  if (protocol === PROTOCOL) return undefined;
  return `its CONFIG speaks protocol ${protocol}, this shim speaks ${PROTOCOL}`;
}
