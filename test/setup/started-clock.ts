// A clock that begins at zero, and that a wait puts forward at once.
import { setImmediate as turn } from "node:timers/promises";
import type { WaitingClock } from "../../tools/setup/wait-until.ts";

export function startedClock(): WaitingClock {
  let ms = 0;
  return {
    now: () => ms,
    wait: async (more) => {
      ms += more;
      await turn();
    },
  };
}
