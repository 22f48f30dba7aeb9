// Gives the worker a clock that the bench can advance, so that an hour of a quiet team passes in a
// moment. The platform's clock starts alarms, so this file converts their times.

/** The part of an object's storage that this file uses. */
interface Storage {
  setAlarm(at: number, ...rest: unknown[]): Promise<void>;
  getAlarm(...rest: unknown[]): Promise<number | null>;
}

interface Handler {
  fetch(request: Request, env: object, context: unknown): Response | Promise<Response>;
}

/** The path that sets the clock. Its query `?at=` has the new time in Unix milliseconds. */
export const CLOCK_PATH = "/bench/clock";

const platformNow = Date.now.bind(Date);
let aheadMs = 0;

export function withClock<Worker extends Handler>(worker: Worker): Worker {
  Object.defineProperty(Date, "now", {
    value: () => platformNow() + aheadMs,
    configurable: true,
    writable: true,
  });
  return {
    ...worker,
    fetch(request, env, context) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== CLOCK_PATH) return worker.fetch(request, env, context);
      aheadMs = Number(searchParams.get("at")) - platformNow();
      return Response.json({ now: Date.now() });
    },
  };
}

/**
 * Converts the times of an object's alarms. Call this function before the object is constructed,
 * and after every other wrapper.
 */
export function shiftAlarms(storage: Storage): void {
  const [setAlarm, getAlarm] = [storage.setAlarm.bind(storage), storage.getAlarm.bind(storage)];
  Object.defineProperty(storage, "setAlarm", {
    value: (at: number, ...rest: unknown[]) => setAlarm(at - aheadMs, ...rest),
  });
  Object.defineProperty(storage, "getAlarm", {
    value: async (...rest: unknown[]) => {
      const at = await getAlarm(...rest);
      return at === null ? null : at + aheadMs;
    },
  });
}
