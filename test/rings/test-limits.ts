// The limits of all tests, and the seed of their properties. A limit only ends a test that hangs.
// Each limit is wide, so that no test fails because a machine is slow. No other file has a limit.
const POLL_MS = 10 * 60_000;
/** The time between two looks. A look mostly is a request, and costs more than the wait. */
const POLL_EVERY_MS = 100;
const TEST_MS = 20 * 60_000;
/** The seed of all properties (test/support/properties.ts), unless PROPERTY_SEED sets another. */
const PROPERTY_SEED = Number(process.env.PROPERTY_SEED ?? 1);

export const LIMITS = {
  testTimeout: TEST_MS,
  hookTimeout: TEST_MS,
  expect: { poll: { timeout: POLL_MS, interval: POLL_EVERY_MS } },
  provide: { pollMs: POLL_MS, pollEveryMs: POLL_EVERY_MS, propertySeed: PROPERTY_SEED },
};

/** The setup file of every project: it gives vi.waitFor the limit of expect.poll. */
export const WAITS = "./test/support/waits.ts";
