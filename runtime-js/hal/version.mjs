// Versions: what holds for one.

/** rangeOf returns the first range that the version is below; for one that is not known, the last. */
export function rangeOf(row, version, warnings) {
  const last = row.ranges.at(-1);
  if (!version) return last;
  const v = numbers(version);
  if (!v) {
    warnings.push(`there is no version in ${JSON.stringify(version)}, so the newest is assumed`);
    return last;
  }
  return row.ranges.find((r) => !r.until || below(v, numbers(r.until))) ?? last;
}

/** numbers finds the version in what a program says of itself ("codex-cli 0.171.0"): its numbers without leading zeros. */
function numbers(text) {
  return text.match(/[0-9]+(?:\.[0-9]+)*/)?.[0].split(".").map((part) => part.replace(/^0+/, ""));
}

/** below compares part by part; a part that is missing is 0, which has no digits left. */
function below(a, b) {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [x, y] = [a[i] ?? "", b[i] ?? ""];
    if (x.length !== y.length) return x.length < y.length;
    if (x !== y) return x < y;
  }
  return false;
}
