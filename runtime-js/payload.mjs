// The Claude-shaped payload: keys in the contract's order. agent_id comes before tool_input, so that a handler which reads only
// the front of the text cannot be fooled by what a tool is told to write.
import { isStop } from "./stopgate.mjs";
import { toolFields } from "./tools.mjs";

/**
 * payloadOf builds it. place is what the runtime knows (session_id, transcript_path, cwd, agent_id), fields what the descriptor
 * read from the host's event, with the call under "tool". Undefined keys do not reach the text.
 */
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
