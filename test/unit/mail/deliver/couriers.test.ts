// Tests which courier carries a team's mail (src/mail/deliver/couriers/couriers.ts), and that
// leases are renewed for a courier that does not deduplicate (src/mail/deliver/leases.ts).
import { settingsOf } from "../../../../src/settings.ts";
import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/env.ts";
import type { OutboundCopy } from "../../../../src/mail/deliver/courier.ts";
import { Couriers } from "../../../../src/mail/deliver/couriers/couriers.ts";
import { keepRenewing } from "../../../../src/mail/deliver/leases.ts";
import { bindings } from "../../../support/api.ts";

const couriersOf = (env: Env) => new Couriers(env, settingsOf(env));

const KEY = "email_a/0/1";
const POLL = { interval: 5 };

describe("the courier of a team", () => {
  it("is the team's choice, else the deployment's, and is made once for an invocation", () => {
    const couriers = couriersOf({ ...bindings, OUTBOUND: "smtp" });
    expect(couriers.of(null, KEY)).toBe(couriers.of("smtp", KEY));
    expect(couriers.of("gateway", KEY)).not.toBe(couriers.of("smtp", KEY));
    expect(couriers.of("cloudflare", KEY)).not.toBe(couriers.of("smtp", KEY));
  });

  it("is one of several gateways, the same for all attempts to a recipient", async () => {
    const hosts = ["https://one.egress.test", "https://two.egress.test"];
    const couriers = couriersOf({ ...bindings, EGRESS_URL: hosts.join(",") });
    const recipients = Array.from({ length: 60 }, (_, at) => `email_${at}/0`);
    const shares = Map.groupBy(recipients, (recipient) => couriers.of(null, `${recipient}/1`));
    for (const recipient of recipients)
      expect(couriers.of(null, `${recipient}/2`)).toBe(couriers.of(null, `${recipient}/1`));
    expect([...shares.values()].map(({ length }) => length > 15)).toEqual([true, true]);
    const asked = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(() => Promise.resolve(new Response(null, { status: 503 })));
    for (const { courier } of shares.keys()) await courier((async function* () {})(), () => {});
    expect(asked.mock.calls.map(([input]) => new Request(input).url).sort()).toEqual(
      hosts.map((host) => `${host}/deliver`),
    );
  });

  it("names a host that remembers attempts only if the courier is the gateway", () => {
    const couriers = couriersOf(bindings);
    const hosts = [null, "smtp", "cloudflare"] as const;
    expect(hosts.map((name) => couriers.of(name, KEY).host)).toEqual([
      "http://egress.test",
      null,
      null,
    ]);
  });

  it.each(["smtp", "cloudflare"] as const)(
    "takes no copies when %s is no longer set up, so that the mail waits",
    async (name) => {
      const names = [
        "EMAIL",
        ...["HOST", "PORT", "USERNAME", "PASSWORD"].map((one) => `SMTP_RELAY_${one}`),
      ];
      const gone = Object.fromEntries(names.map((one) => [one, undefined]));
      const env: Env = { ...bindings, ...gone };
      let offered = 0;
      async function* copies(): AsyncGenerator<OutboundCopy> {
        offered += 1;
        yield {} as OutboundCopy;
      }
      const report = vi.fn();
      await couriersOf(env).of(name, KEY).courier(copies(), report);
      expect(offered).toBe(0);
      expect(report).not.toHaveBeenCalled();
    },
  );
});

describe("the leases of jobs that a courier works on", () => {
  it("are renewed again after a renewal failed", async () => {
    let tries = 0;
    const renew = () => {
      tries += 1;
      return Promise.reject(new Error("the ledger is away"));
    };
    const work = () => expect.poll(() => tries, POLL).toBeGreaterThanOrEqual(2);
    await keepRenewing(renew, 3_000, work);
    expect(tries).toBeGreaterThanOrEqual(2);
  });

  it("are not renewed after keepRenewing() returned, even when the courier throws", async () => {
    const order: string[] = [];
    const renew = async () => {
      await scheduler.wait(20);
      order.push("renewed");
    };
    const work = async () => {
      await scheduler.wait(15);
      throw new Error("fault");
    };
    await expect(keepRenewing(renew, 3_000, work)).rejects.toThrow("fault");
    order.push("over");
    await scheduler.wait(40);
    expect(order).toEqual(["renewed", "over"]);
  });
});
