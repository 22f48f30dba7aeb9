// Tests the choice of a gateway (src/mail/deliver/couriers/egress-hosts.ts): one host for each
// recipient, equal shares, and a change of the list moves only the recipients that it must.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../../src/lib/ids.ts";
import { egressHostOf } from "../../../../src/mail/deliver/couriers/egress-hosts.ts";

const HOSTS = ["a", "b", "c"].map((name) => `https://egress-${name}.example.com`);
const KEYS = Array.from(
  { length: 3_000 },
  (_, at) => `${newEmailId(1_795_000_000_000 + Math.floor(at / 3))}/${at % 3}/1`,
);

const hostsOf = (urls: readonly string[]) => KEYS.map((key) => egressHostOf(key, urls));

describe("the gateway of an attempt", () => {
  it("is the same for every attempt to a recipient, whatever the order of the list", () => {
    for (const key of KEYS.slice(0, 100)) {
      const host = egressHostOf(key, HOSTS);
      expect(egressHostOf(key.replace(/1$/, "27"), HOSTS)).toBe(host);
      expect(egressHostOf(key, HOSTS.toReversed())).toBe(host);
    }
  });

  it("is each host of the list about equally often, also for the recipients of one message", () => {
    const counts = [...Map.groupBy(hostsOf(HOSTS), (host) => host).values()].map(
      ({ length }) => length,
    );
    expect(counts).toHaveLength(3);
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
    const ofOneMessage = Array.from({ length: 50 }, (_, index) =>
      egressHostOf(`email_x/${index}/1`, HOSTS),
    );
    expect(new Set(ofOneMessage).size).toBe(3);
  });

  it("changes only for the recipients of a host that is removed or added", () => {
    const [before, after] = [hostsOf(HOSTS), hostsOf(HOSTS.slice(0, 2))];
    for (const [at, host] of before.entries()) if (host !== HOSTS[2]) expect(after[at]).toBe(host);
  });

  it("is the only host of a list with one host", () => {
    expect(egressHostOf("email_x/0/1", HOSTS.slice(1, 2))).toBe(HOSTS[1]);
  });
});
