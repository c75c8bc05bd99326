// What the runtime takes of node, each by one name.
import childProcess from "node:child_process";
import crypto from "node:crypto";
import events from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import url from "node:url";

export { childProcess, crypto, events, fs, net, os, path, url };
