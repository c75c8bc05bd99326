// Context for the model that a host event cannot carry is held until one comes that can.
import { recordOf } from "./util.mjs";

/** createContext returns hold(slot, session, text) and take(slot, session, keep). */
export function createContext() {
  const held = new WeakMap();
  const slotsOf = (session) => recordOf(held, session, () => new Map());
  return {
    /** hold keeps a text once, behind those that are held already. */
    hold(slot, session, text) {
      if (!text) return;
      const slots = slotsOf(session);
      slots.set(slot, (slots.get(slot) ?? new Set()).add(text));
    },
    /** take gives what is held, "" when nothing is. keep: it is given again next time, to hosts that build every request anew. */
    take(slot, session, keep = false) {
      const slots = slotsOf(session);
      const text = [...(slots.get(slot) ?? [])].join("\n");
      if (!keep) slots.delete(slot);
      return text;
    },
  };
}
