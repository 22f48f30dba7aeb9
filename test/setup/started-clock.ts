// A clock that begins at zero. A wait moves it forward at once.
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
