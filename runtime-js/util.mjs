// What several parts need and none of them owns.

/** remember adds key to a set that keeps only its newest keys. False when the key is there already. */
export function remember(set, key, limit) {
  if (set.has(key)) return false;
  set.add(key);
  if (set.size > limit) set.delete(set.values().next().value);
  return true;
}

/** recordOf finds or makes what a WeakMap keeps for a session: it goes when the session goes. */
export function recordOf(records, session, make) {
  if (!records.has(session)) records.set(session, make());
  return records.get(session);
}

/** faultText says what was thrown. Hosts throw all kinds of things, some of which do not even print. */
export function faultText(thrown) {
  try {
    return String(thrown);
  } catch {
    return "an error that cannot be printed";
  }
}
