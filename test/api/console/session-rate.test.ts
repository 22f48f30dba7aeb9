// Tests the request rate of console sessions (src/ledger/admission/console-session-rates.ts): each
// session has its own rate, separate from the rate of the team's sends.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bindings, call, makeTeam, type TestTeam } from "../../support/api.ts";
import { makeSendingDomain } from "../../support/domain.ts";
import { consoleHeaders } from "./console-calls.ts";

/** The clock stands still, so a token bucket refills only when a test moves the clock. */
beforeEach(() => {
  vi.setSystemTime(Date.now());
});

const remaining = (response: Response) => Number(response.headers.get("RateLimit-Remaining"));

async function poll(headers: Record<string, string>): Promise<Response> {
  const response = await call("GET", "/v1/whoami", { headers });
  await response.arrayBuffer();
  return response;
}

async function senderOf(team: TestTeam, text = "Hello") {
  const domain = await makeSendingDomain(team.id);
  const body = {
    from: `hello@${domain}`,
    to: [`delivered@simulator.${bindings.SERVICE_DOMAIN}`],
    subject: "Hello",
    text,
  };
  return (options: { key?: string; headers?: Record<string, string> }) =>
    call("POST", "/v1/email", { ...options, body });
}

describe("a console that polls", () => {
  it("changes no send's RateLimit-Remaining", async () => {
    const rates: number[][] = [];
    for (const polls of [0, 3]) {
      const team = await makeTeam({ limits: { requests_per_second: 6 } });
      const send = await senderOf(team);
      const headers = await consoleHeaders(team.key);
      const seen: number[] = [];
      for (let sends = 0; sends < 12; sends += 1) {
        for (let polled = 0; polled < polls; polled += 1) await poll(headers);
        const response = await send({ key: team.key });
        expect(response.status).toBe(202);
        seen.push(remaining(response));
      }
      rates.push(seen);
    }
    expect(rates[0]?.at(-1)).toBe(0);
    expect(rates[1]).toEqual(rates[0]);
  });

  it("makes 10 requests a second, and gets the headers of its own rate", async () => {
    const team = await makeTeam({ limits: { requests_per_second: 1_000 } });
    const headers = await consoleHeaders(team.key);
    const first: number[] = [];
    for (let request = 0; request < 10; request += 1) first.push(remaining(await poll(headers)));
    expect(first).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    const refused = await poll(headers);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("RateLimit-Limit")).toBe("10");
    expect(refused.headers.get("Retry-After")).toBe("1");
    vi.setSystemTime(Date.now() + 300);
    const statuses: number[] = [];
    for (let request = 0; request < 4; request += 1) statuses.push((await poll(headers)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it("does not use the rate of another session of the same key", async () => {
    const team = await makeTeam();
    const [one, other] = [await consoleHeaders(team.key), await consoleHeaders(team.key)];
    for (let request = 0; request < 11; request += 1) await poll(one);
    expect((await poll(one)).status).toBe(429);
    expect(remaining(await poll(other))).toBe(9);
  });
});

describe("a send through a session", () => {
  it("uses the session's rate, and no other rate", async () => {
    const team = await makeTeam({ limits: { requests_per_second: 5 } });
    const send = await senderOf(team);
    const headers = await consoleHeaders(team.key);
    const keyed = { ...headers, "Idempotency-Key": crypto.randomUUID() };
    expect(remaining(await send({ headers }))).toBe(9);
    expect(remaining(await send({ headers: keyed }))).toBe(8);
    expect(remaining(await poll(headers))).toBe(7);
    const typed = { ...headers, "Content-Type": "text/plain" };
    const wrong = await call("POST", "/v1/email", { headers: typed, raw: "x" });
    expect([wrong.status, remaining(wrong)]).toEqual([415, 6]);
    for (let request = 0; request < 6; request += 1) await poll(headers);
    expect((await send({ headers })).status).toBe(429);
    // The key's bucket holds ten requests, so nine are left after one send. The header announces at
    // most five, which is the team's limit.
    expect(remaining(await send({ key: team.key }))).toBe(5);
  });

  it("counts as one request, even if its content is too large for the ledger's row", async () => {
    const team = await makeTeam();
    const send = await senderOf(team, "x".repeat(200_000));
    const headers = await consoleHeaders(team.key);
    for (const extra of [{}, { "Idempotency-Key": crypto.randomUUID() }])
      expect((await send({ headers: { ...headers, ...extra } })).status).toBe(202);
    expect(remaining(await poll(headers))).toBe(7);
  });
});
