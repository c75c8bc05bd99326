// The one block verdict: blocked is exit 2 and nothing else. What is read here is why, in the order of the contract.
//
// The same rules are written once more in Go; testdata/verdicts.json is the table that both must pass.

// The scan for glued objects looks at so many characters, and gives up after so many braces that open no object: what a
// handler prints must not keep the host busy.
const SCAN_LENGTH = 1 << 20;
const SCAN_MISSES = 20;

/** readVerdict turns the dispatcher's answer {code, out, err} into {blocked, reason, context}. */
export function readVerdict({ code, out, err }, fallback) {
  if (code !== 2) return { blocked: false, reason: "", context: code === 0 ? contextIn(out) : "" };
  const reason = lineReason(out) || gluedReason(out) || err.trim() || fallback;
  return { blocked: true, reason: reason.toWellFormed(), context: "" }; // model APIs refuse half a surrogate pair
}

// The designed channel: one object, alone in its line.
function lineReason(out) {
  for (const line of out.split("\n")) {
    const reason = line.startsWith("{") && blockReason(parse(line));
    if (reason) return reason;
  }
}

// Handlers may print without a newline at the end, or over several lines: then the objects have to be found.
function gluedReason(out) {
  for (const object of objects(out)) {
    const reason = blockReason(object);
    if (reason) return reason;
  }
}

// A reason counts only in the very object that blocks.
function blockReason(object) {
  return object?.decision === "block" && typeof object.reason === "string" && object.reason;
}

// What the model is to read although nothing was blocked.
function contextIn(out) {
  const texts = Array.from(objects(out), (object) => object.hookSpecificOutput?.additionalContext);
  return texts.filter((text) => typeof text === "string" && text).join("\n").toWellFormed();
}

// objects yields every outermost JSON object of a text, whatever stands between them. A brace that opens no object is noise,
// and the search goes on right behind it: a log line like "main() {" must not hide the verdict that follows.
function* objects(text) {
  const s = text.slice(0, SCAN_LENGTH);
  let misses = 0;
  for (let at = s.indexOf("{"); at >= 0 && misses < SCAN_MISSES; ) {
    const end = opens(s, at) ? closing(s, at) : 0;
    const object = end > 0 && parseLoose(s.slice(at, end));
    if (object) yield object;
    else if (end !== 0) misses++;
    at = s.indexOf("{", object ? end : at + 1);
  }
}

// A glance at what follows the brace: it saves most scans that would end nowhere.
function opens(s, at) {
  const key = /[ \t\r\n]*["}]/y;
  key.lastIndex = at + 1;
  return key.test(s);
}

// The index behind the brace that closes the one at the given index, or -1. Braces inside strings do not count.
function closing(s, at) {
  let depth = 0;
  let quoted = false;
  for (let i = at; i < s.length; i++) {
    const c = s[i];
    if (quoted && c === "\\") i++;
    else if (c === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

// Shell scripts that escape only quotes and backslashes leave raw line breaks and tabs in their strings. The text is
// readable all the same.
function parseLoose(json) {
  return parse(json) ?? parse(escapeControls(json));
}

function escapeControls(json) {
  let text = "";
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    let c = json[i];
    if (quoted && c === "\\" && json[i + 1] >= " ") c += json[++i];
    else if (c === '"') quoted = !quoted;
    else if (quoted && c === "\\") c = "\\\\"; // a backslash before a raw line break escapes nothing
    else if (quoted && c < " ") c = JSON.stringify(c).slice(1, -1);
    text += c;
  }
  return text;
}
