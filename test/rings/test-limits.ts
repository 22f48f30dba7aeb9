// The limits of all tests. They only end what hangs, so each is wide and stands nowhere else: a test
// that a slow machine fails by one of them tests the machine.
const POLL_MS = 10 * 60_000;
const TEST_MS = 20 * 60_000;

export const LIMITS = {
  testTimeout: TEST_MS,
  hookTimeout: TEST_MS,
  expect: { poll: { timeout: POLL_MS } },
  provide: { pollMs: POLL_MS },
};

/** The setup file of every project: it gives vi.waitFor the limit of expect.poll. */
export const WAITS = "./test/support/waits.ts";
