// Tool names and argument keys, turned into Claude's. The tables come from the descriptor; nothing here knows a harness.
//
// Keys of the tables and of the input are foreign text: they are looked up as own properties only, because "constructor"
// and "__proto__" are words like any other.

/** toolFields gives the four tool keys of a payload, tool_response last. */
export function toolFields(tools, servers, { name, use_id, input, response }) {
  return {
    tool_name: own(tools.names, name) ?? mcpName(tools.mcp, servers, name) ?? name,
    tool_use_id: use_id,
    tool_input: toolInput(tools, name, input),
    tool_response: response,
  };
}

function own(table, key) {
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}

// A host that joins server and tool by a character that both may contain can only be read by someone who knows the
// servers. The longest name that fits is meant.
function mcpName(mcp, servers, name) {
  if (!mcp || typeof name !== "string") return undefined;
  const known = servers.map(mcpSafe).filter(Boolean).sort((a, b) => b.length - a.length);
  const lead = (server) => (mcp.prefix ?? "") + server + mcp.join;
  const server = known.find((s) => name.startsWith(lead(s)) && name.length > lead(s).length);
  return server && `mcp__${server}__${name.slice(lead(server).length)}`;
}

// Claude and the hosts alike put "_" for what a tool name may not hold.
function mcpSafe(server) {
  return String(server).replace(/[^A-Za-z0-9_-]/g, "_");
}

// A copy of the host's input under Claude's keys. A key moves only to a place that is free: what the host itself wrote under
// Claude's name stays.
function toolInput(tools, name, input) {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return {};
  const paths = touchedPaths(own(tools.paths, name), input);
  const taken = new Set(Object.keys(input).filter((key) => input[key] !== undefined));
  const entries = Object.entries(input).map(([key, value]) => {
    const claude = own(own(tools.args, name), key) ?? own(own(tools.args, "*"), key);
    if (claude === undefined || taken.has(claude) || hides(claude, paths)) return [key, value];
    taken.add(claude);
    return [claude, value];
  });
  return withPaths(Object.fromEntries(entries), paths);
}

// One file_path of several would hide the others from a handler that reads no further.
function hides(key, paths) {
  return key === "file_path" && paths.length > 1;
}

function withPaths(input, paths) {
  if (paths.length === 0) return input;
  const one = input.file_path === undefined && paths.length === 1;
  return { ...input, file_paths: paths, ...(one && { file_path: paths[0] }) };
}

// The files that a call touches: a list that the host gives, or what a pattern finds in a text.
function touchedPaths(rule, input) {
  const value = rule && own(input, rule.from);
  if (Array.isArray(value)) return unique(value);
  if (typeof value !== "string" || !rule.pattern) return [];
  return unique(Array.from(value.matchAll(new RegExp(rule.pattern, "gm")), (match) => match[1]?.trim()));
}

function unique(paths) {
  return [...new Set(paths.filter((p) => typeof p === "string" && p))];
}
