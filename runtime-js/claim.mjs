// Claim: a host may load several shims of one agent, the user's own and the project's. Each hears of every event; the first
// asks the handlers, the others let it. What the first could not ask, the next one does.
const FRESH = 122_500; // ms for which a served event waits for its other sights
const CLAIMS = 512;

/**
 * claim tells one shim's sight of an event from another's. origin is the shim's level; the n-th sight of one level pairs with
 * the n-th of another, so two equal events stay two. It gives {other} where another shim serves the event, a promise of
 * whether it could (done when that is known), and else {end(served)}, which is to be called then.
 */
export function claim(key, origin) {
  const claims = (globalThis[Symbol.for("lorimer.claims.1")] ??= new Map());
  const sights = (claims.get(key) ?? []).filter((sight) => !(sight.until < Date.now()));
  claims.delete(key);
  claims.set(key, sights); // the newest last
  if (claims.size > CLAIMS) claims.delete(claims.keys().next().value);
  const first = sights.find((sight) => !sight.origins.has(origin));
  if (!first) return sighting(sights, origin);
  first.origins.add(origin);
  return { other: first.served, done: first.done };
}

function sighting(sights, origin) {
  let settle;
  const sight = { origins: new Set([origin]), served: new Promise((resolve) => (settle = resolve)) };
  sights.push(sight);
  const end = (served) => {
    Object.assign(sight, { until: Date.now() + FRESH, done: served });
    settle(served);
  };
  return { end };
}
