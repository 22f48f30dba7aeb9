// Tests src/ledger/admission/spent-rates.ts: what an isolate remembers about a request rate that is
// used up.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import type { Team } from "../../../../src/endpoint.ts";
import { takeRequest } from "../../../../src/ledger/admission/rate.ts";
import type { Bucket } from "../../../../src/ledger/token-bucket.ts";
import { rememberSpentRate, spentRate } from "../../../../src/ledger/admission/spent-rates.ts";

const askerOf = (requestsPerSecond: number, session: string | null = null) => ({
  team: { id: crypto.randomUUID(), limits: { requestsPerSecond } } as Team,
  session,
});

/** Makes the state of a token bucket that lacks `missing` thousandths of one token. */
const spentBy = (missing: number) => ({
  limit: 10,
  remaining: 0,
  resetSeconds: 2,
  level: 1_000 - missing,
});

describe("a rate that this isolate saw used up", () => {
  it("is used up until the bucket has a token again, and is unknown a second later", () => {
    const asker = askerOf(10);
    expect(spentRate(asker, 1_000)).toBeUndefined();
    rememberSpentRate(asker, spentBy(600), 1_000);
    for (const now of [1_000, 1_030, 1_059])
      expect(spentRate(asker, now)).toMatchObject({ limit: 10, remaining: 0, resetSeconds: 2 });
    expect(spentRate(asker, 1_060)).toBeUndefined();
    expect(spentRate(asker, 1_061)).toMatchObject({ limit: 10, remaining: 0 });
    expect([spentRate(asker, 2_061), spentRate(asker, 2_061)]).toEqual([undefined, undefined]);
  });

  it("applies only to that team or that session", () => {
    const [asker, other] = [askerOf(10), askerOf(10)];
    const ofSession = { ...asker, session: crypto.randomUUID() };
    rememberSpentRate(asker, spentBy(1_000), 1_000);
    expect([spentRate(other, 1_000), spentRate(ofSession, 1_000)]).toEqual([undefined, undefined]);
    rememberSpentRate(ofSession, spentBy(1_000), 1_000);
    expect(spentRate(ofSession, 1_000)).toMatchObject({ limit: 10, resetSeconds: 1 });
  });

  it("is not recorded after a refusal for another reason", () => {
    const asker = askerOf(10);
    rememberSpentRate(asker, { limit: 10, remaining: 0, resetSeconds: 1 }, 1_000);
    expect(spentRate(asker, 1_000)).toBeUndefined();
  });

  it("refuses no request that the ledger would allow, whatever other isolates use meanwhile", () => {
    const request = fc.record({ wait: fc.nat(300), isHere: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(request, { maxLength: 80 }),
        fc.integer({ min: 1, max: 20 }),
        (requests, perSecond) => {
          const asker = askerOf(perSecond);
          let bucket: Bucket | undefined;
          let now = 5_000;
          for (const { wait, isHere } of requests) {
            now += wait;
            const known = isHere ? spentRate(asker, now) : undefined;
            const [after, { allowed, rate }] = takeRequest(bucket, perSecond, now);
            bucket = after;
            if (known) expect(allowed).toBe(false);
            else if (isHere && !allowed) rememberSpentRate(asker, rate, now);
          }
        },
      ),
    );
  });
});
