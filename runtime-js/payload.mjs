// The Claude-shaped payload, in the contract's order: a handler that looks for agent_id before tool_input cannot be fooled by
// what a tool is told to write.
import { isStop } from "./stopgate.mjs";
import { toolFields } from "./tools.mjs";

/** payloadOf joins what the runtime knows, place, and what the descriptor read from the host's event; tool is the call. */
export function payloadOf(event, place, { permission_mode, tool, ...rest }, tools, servers) {
  const head = {
    session_id: place.session_id,
    transcript_path: rest.transcript_path ?? place.transcript_path,
    cwd: rest.cwd ?? place.cwd,
    permission_mode,
    hook_event_name: event,
    agent_id: rest.agent_id ?? place.agent_id,
  };
  const bit = isStop(event) && { stop_hook_active: rest.stop_hook_active };
  return { ...head, ...bit, ...rest, ...head, ...(tool && toolFields(tools, servers, tool)) };
}
