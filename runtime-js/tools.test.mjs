import assert from "node:assert/strict";
import test from "node:test";
import { hostInput, hostOutput, toolFields } from "./tools.mjs";

const tables = {
  names: { bash: "Bash", write: "Write" },
  args: { write: { path: "file_path" }, "*": { filePath: "file_path", oldString: "old_string" } },
  paths: { patch: { from: "text", pattern: "^\\*\\*\\* (?:Add|Update) File: (.+)$" }, edit: { from: "paths" } },
  mcp: { join: "_" },
};
const fields = (call, servers = []) => toolFields(tables, () => servers, call);
const input = (name, value) => fields({ name, input: value }).tool_input;
const nameOf = (name, ...servers) => fields({ name, input: {} }, servers).tool_name;

test("the keys stand in the order of the contract", () => {
  const f = fields({ response: "ok", input: {}, use_id: "c1", name: "bash" });
  assert.deepEqual(Object.keys(f), ["tool_name", "tool_use_id", "tool_input", "tool_response"]);
  assert.deepEqual(f, { tool_name: "Bash", tool_use_id: "c1", tool_input: {}, tool_response: "ok" });
});

test("a name that no table has passes unchanged, whatever it is called", () => {
  for (const name of ["mystery", "constructor", "__proto__", "toString", ""]) assert.equal(nameOf(name), name);
});

test("an MCP tool gets Claude's name, by the longest server that fits", () => {
  assert.equal(nameOf("my-srv_echo_it", "my-srv"), "mcp__my-srv__echo_it");
  assert.equal(nameOf("a_b_c", "a", "a_b"), "mcp__a_b__c");
  assert.equal(nameOf("a_b_c", "a_b", "a"), "mcp__a_b__c");
});

test("a server's name is written as in tool names", () => {
  assert.equal(nameOf("my_srv_v2_go", "my.srv v2"), "mcp__my_srv_v2__go");
});

test("a name of no known server, or without a tool, stays", () => {
  assert.equal(nameOf("other_tool", "srv"), "other_tool");
  assert.equal(nameOf("srv_", "srv"), "srv_");
  assert.equal(nameOf("_tool", ""), "_tool");
  assert.equal(toolFields({}, () => ["srv"], { name: "srv_x", input: {} }).tool_name, "srv_x");
});

test("a table's name is not taken for an MCP tool", () => {
  assert.equal(toolFields({ names: { a_b: "Ab" }, mcp: { join: "_" } }, () => ["a"], { name: "a_b", input: {} }).tool_name, "Ab");
});

test("a key moves to Claude's, the host's object stays as it was", () => {
  const mine = { path: "a.txt", content: "x" };
  assert.deepEqual(input("write", mine), { file_path: "a.txt", content: "x" });
  assert.deepEqual(mine, { path: "a.txt", content: "x" });
});

test("a key moves for the listed tool alone, and for every tool under *", () => {
  assert.deepEqual(input("grep", { path: "src" }), { path: "src" });
  assert.deepEqual(input("grep", { filePath: "a", oldString: "b" }), { file_path: "a", old_string: "b" });
  assert.deepEqual(input("write", { filePath: "a" }), { file_path: "a" });
});

test("a key never moves over one that is there", () => {
  assert.deepEqual(input("write", { path: "host", file_path: "own" }), { path: "host", file_path: "own" });
  assert.deepEqual(input("write", { path: "one", filePath: "two" }), { file_path: "one", filePath: "two" });
  assert.equal(input("write", { path: "a", file_path: undefined }).file_path, "a");
});

test("anything but an object becomes an empty one", () => {
  for (const value of [undefined, null, "text", 7, true, ["a"]]) assert.deepEqual(input("bash", value), {});
});

test("keys that JavaScript knows are keys like any other", () => {
  const odd = JSON.parse('{"__proto__":{"x":1},"constructor":"c","toString":"t"}');
  assert.equal(JSON.stringify(input("write", odd)), JSON.stringify(odd));
});

test("a tool that touches several files gets file_paths, and no file_path", () => {
  const text = "*** Add File: a.txt\n+x\n*** Update File: dir/b.txt\r\n*** Add File: a.txt\n";
  assert.deepEqual(input("patch", { text }), { text, file_paths: ["a.txt", "dir/b.txt"] });
  assert.deepEqual(input("edit", { paths: ["a", "b"], filePath: "a" }), { paths: ["a", "b"], filePath: "a", file_paths: ["a", "b"] });
});

test("with exactly one file it gets file_path too", () => {
  assert.deepEqual(input("patch", { text: "*** Update File: a.txt\n" }), { text: "*** Update File: a.txt\n", file_paths: ["a.txt"], file_path: "a.txt" });
  assert.deepEqual(input("edit", { paths: ["a"], filePath: "a" }), { paths: ["a"], file_path: "a", file_paths: ["a"] });
  assert.equal(input("edit", { paths: ["a"], file_path: "own" }).file_path, "own");
});

test("where no file is named there is no list", () => {
  for (const value of [{ text: "nothing" }, { text: 7 }, {}]) assert.equal("file_paths" in input("patch", value), false);
  assert.deepEqual(input("edit", { paths: [1, null, ""] }), { paths: [1, null, ""] });
  assert.deepEqual(input("edit", { paths: "a" }), { paths: "a" });
});

// What a handler makes of an input goes back to the host: there and back nothing changes.
test("a rewritten input gets the host's names back", () => {
  const back = (name, was, change) => {
    const lost = [];
    const now = hostInput(tables, name, was, { ...input(name, was), ...change }, (key) => lost.push(key));
    return [now, lost];
  };
  assert.deepEqual(back("write", { path: "a", content: "x" }, { content: "y" }), [{ path: "a", content: "y" }, []]);
  assert.deepEqual(back("write", { path: "a" }, { file_path: "b" }), [{ path: "b" }, []]);
  assert.deepEqual(back("write", {}, { file_path: "b" }), [{ path: "b" }, []], "a key that the call did not have");
  assert.deepEqual(back("write", { path: "a", file_path: "b" }, { file_path: "c" }), [{ path: "a", file_path: "c" }, []], "Claude's name was the host's");
  assert.deepEqual(back("other", { oldString: "a" }, { old_string: "b" }), [{ oldString: "b" }, []]);
  assert.deepEqual(back("edit", { paths: ["a"] }, {}), [{ paths: ["a"] }, []], "keys made for handlers do not reach the host");
  assert.deepEqual(back("edit", { paths: ["a"] }, { file_path: "b", file_paths: ["a", "b"] }), [{ paths: ["a"] }, ["file_paths", "file_path"]]);
  assert.deepEqual(back("constructor", null, { a: 1 }), [{ a: 1 }, []]);
});

test("a result in the form of Claude's own tools is its text to other hosts; any other stays as it is", () => {
  assert.equal(hostOutput({ stdout: "out", stderr: "", interrupted: false, isImage: false }), "out");
  assert.equal(hostOutput({ stdout: "out", stderr: "err" }), "out\nerr");
  assert.equal(hostOutput({ stdout: "", stderr: "" }), "");
  assert.equal(hostOutput({ type: "text", file: { filePath: "/a", content: "text" } }), "text");
  for (const other of ["text", "", null, 5, [{ type: "text", text: "x" }], { content: [] }, { stdout: 5 }, { file: "a" }]) {
    assert.equal(hostOutput(other), other);
  }
});
