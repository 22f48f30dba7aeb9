// Runs before every test file that shares its Node process with others. After each file it restores
// mocks, the environment, and the level of the gateway's log.
import { afterAll, vi } from "vitest";
import { setLogLevel } from "../../smtp-gateway/src/gateway-log.ts";

const before = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  setLogLevel("info");
});
