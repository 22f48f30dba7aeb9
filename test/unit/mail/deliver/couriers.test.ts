// Which courier carries a team's mail (src/mail/deliver/couriers.ts), and the leases of what a forgetful one is at (src/mail/deliver/leases.ts).
import { describe, expect, it } from "vitest";
import { type Env, settingsOf } from "../../../../src/env.ts";
import type { Parcel } from "../../../../src/mail/deliver/courier.ts";
import { Couriers } from "../../../../src/mail/deliver/couriers.ts";
import { holdingLeases } from "../../../../src/mail/deliver/leases.ts";
import { bindings } from "../../../support/api.ts";

const without = (...names: (keyof Env)[]): Env => ({ ...bindings, ...Object.fromEntries(names.map((name) => [name, undefined])) });

const couriersOf = (env: Env) => new Couriers(env, settingsOf(env));

describe("the courier of a team", () => {
  it("is its own, else the deployment's, one for the whole invocation", () => {
    const couriers = couriersOf({ ...bindings, OUTBOUND: "smtp" });
    expect(couriers.of(null)).toBe(couriers.of("smtp"));
    expect(couriers.of("gateway")).not.toBe(couriers.of("smtp"));
    expect(couriers.of("cloudflare")).not.toBe(couriers.of("smtp"));
  });

  it("remembers attempts only where it is the gateway", () => {
    const couriers = couriersOf(bindings);
    expect([couriers.of(null), couriers.of("smtp"), couriers.of("cloudflare")].map(({ remembers }) => remembers)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each(["smtp", "cloudflare"] as const)("carries nothing where %s is not set up any more: the mail waits", async (name) => {
    const env = without("EMAIL", "SMTP_RELAY_HOST", "SMTP_RELAY_PORT", "SMTP_RELAY_USERNAME", "SMTP_RELAY_PASSWORD");
    let offered = 0;
    async function* parcels(): AsyncGenerator<Parcel> {
      offered += 1;
      yield { key: "a/0/1", mailFrom: "a@b.example", rcptTo: "c@d.example", sender: "a@b.example", pool: null, bytes: new Uint8Array() };
    }
    const outcomes: string[] = [];
    await couriersOf(env)
      .of(name)
      .courier(parcels(), (key) => outcomes.push(key));
    expect({ offered, outcomes }).toEqual({ offered: 0, outcomes: [] });
  });
});

describe("the leases of what a courier is at", () => {
  it("are renewed while it works, and not after", async () => {
    let renewals = 0;
    const renew = () => Promise.resolve(void (renewals += 1));
    await holdingLeases(renew, 3_000, () => scheduler.wait(65));
    const during = renewals;
    expect(during).toBeGreaterThanOrEqual(2);
    await scheduler.wait(30);
    expect(renewals).toBe(during);
  });

  it("are not touched by a courier that is quick", async () => {
    let renewals = 0;
    await holdingLeases(
      () => Promise.resolve(void (renewals += 1)),
      1,
      () => Promise.resolve(),
    );
    expect(renewals).toBe(0);
  });

  it("that can't be renewed once are tried again", async () => {
    let tries = 0;
    const renew = () => {
      tries += 1;
      return Promise.reject(new Error("the ledger is away"));
    };
    await holdingLeases(renew, 3_000, () => scheduler.wait(65));
    expect(tries).toBeGreaterThanOrEqual(2);
  });

  it("are let go of before anything else is said of the jobs, even when the courier faults", async () => {
    const order: string[] = [];
    const renew = async () => {
      await scheduler.wait(20);
      order.push("renewed");
    };
    const work = async () => {
      await scheduler.wait(15);
      throw new Error("fault");
    };
    await expect(holdingLeases(renew, 3_000, work)).rejects.toThrow("fault");
    order.push("over");
    await scheduler.wait(40);
    expect(order).toEqual(["renewed", "over"]);
  });
});
