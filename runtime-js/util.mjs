// What several parts share.

/** remember adds a key to a set that keeps its newest only; false when it is there already. */
export function remember(set, key, limit) {
  if (set.has(key)) return false;
  set.add(key);
  if (set.size > limit) set.delete(set.values().next().value);
  return true;
}

/** faultText says what was thrown. Some things do not even print. */
export function faultText(thrown) {
  try {
    return String(thrown);
  } catch {
    return "an error that cannot be printed";
  }
}

/** ignore is for faults that show in another way. */
export function ignore() {}

/** isObject: neither a list nor null. */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
