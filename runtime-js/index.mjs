// The shim runtime. The glue that is generated around it calls createShim and nothing else.
export { createShim } from "./shim.mjs";
