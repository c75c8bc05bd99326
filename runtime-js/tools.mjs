// Tool names and arguments, turned into Claude's by the descriptor's tables. Names are foreign text: "constructor" is one like
// any other.
import { isObject } from "./util.mjs";

/** toolFields gives a payload's tool keys. servers() names the host's MCP servers. */
export function toolFields(tools, servers, { name, use_id, input, response }) {
  let tool_name = own(tools.names, name);
  MCP: tool_name ??= mcpName(tools.mcp, servers, name);
  return { tool_name: tool_name ?? name, tool_use_id: use_id, tool_input: toolInput(tools, name, input), tool_response: response };
}

function own(table, key) {
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}

// Each part of server + join + tool may hold the join: the longest known server that fits is meant. Hosts write "_" for what
// may not be in a tool's name, as Claude does.
function mcpName(mcp, servers, name) {
  if (!mcp || typeof name !== "string") return undefined;
  const known = servers().map((server) => String(server).replace(/[^A-Za-z0-9_-]/g, "_"));
  const fits = known.filter((server) => server && name.startsWith(server + mcp.join) && name !== server + mcp.join);
  const longest = fits.sort((a, b) => b.length - a.length)[0];
  return longest && `mcp__${longest}__${name.slice(longest.length + mcp.join.length)}`;
}

/**
 * hostInput turns a rewritten input back into the host's names: those of the call as it came, else the table's. lost(key) hears of
 * keys that were made for handlers from others, and so cannot be changed.
 */
export function hostInput(tools, name, input, rewritten, lost) {
  const sent = toolInput(tools, name, input);
  const back = new Map(Object.entries(tableOf(tools, name)).map(([key, target]) => [target, key]));
  const made = new Set(Object.keys(sent));
  for (const [key, target] of isObject(input) ? renamed(tools, name, input) : []) back.set(target, key), made.delete(target);
  const changed = (key) => JSON.stringify(rewritten[key]) !== JSON.stringify(sent[key]);
  for (const key of made) if (Object.hasOwn(rewritten, key) && changed(key)) lost(key);
  const kept = Object.entries(rewritten).filter(([key]) => !made.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [back.get(key) ?? key, value]));
}

/** hostOutput gives the text of a result in the form of Claude's own tools, which other hosts do not know; any other as it is. */
export function hostOutput(output) {
  if (typeof output?.stdout === "string") return [output.stdout, output.stderr].filter(Boolean).join("\n");
  return typeof output?.file?.content === "string" ? output.file.content : output;
}

function tableOf(tools, name) {
  return { ...tools.args?.["*"], ...own(tools.args, name) };
}

// A copy of the host's input, as Claude names it.
function toolInput(tools, name, input) {
  if (!isObject(input)) return {};
  const copy = Object.fromEntries(renamed(tools, name, input).map(([key, target]) => [target, input[key]]));
  PATHS: addPaths(copy, touchedPaths(tools, name, input));
  return copy;
}

// Each key of the host's and Claude's; a key moves only to a name that is free.
function renamed(tools, name, input) {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const taken = new Set(given.map(([key]) => key));
  PATHS: if (touchedPaths(tools, name, input).length > 1) taken.add("file_path"); // one of several would hide the others
  const names = tableOf(tools, name);
  const rename = (key) => {
    const target = own(names, key) ?? key;
    if (taken.has(target)) return key;
    taken.add(target);
    return target;
  };
  return given.map(([key]) => [key, rename(key)]);
}

function addPaths(copy, paths) {
  if (paths.length > 0) copy.file_paths = paths;
  if (paths.length === 1) copy.file_path ??= paths[0];
}

// The files that a call touches: a list, or what a pattern finds in a text.
function touchedPaths(tools, name, input) {
  const rule = own(tools.paths, name);
  const value = rule && own(input, rule.from);
  let paths = [];
  if (Array.isArray(value)) paths = value;
  else if (typeof value === "string" && rule.pattern) {
    paths = Array.from(value.matchAll(new RegExp(rule.pattern, "gm")), (match) => match[1]);
  }
  return [...new Set(paths.filter((p) => typeof p === "string" && p))];
}
