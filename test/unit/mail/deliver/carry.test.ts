// Tests that a consumer renews its leases for as long as it works on its copies
// (src/mail/deliver/carry.ts). No real time passes.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { carry } from "../../../../src/mail/deliver/carry.ts";
import type { DeliveryRun } from "../../../../src/mail/deliver/claim.ts";
import type { ClaimedDelivery } from "../../../../src/mail/deliver/claimed-delivery.ts";
import type { Courier } from "../../../../src/mail/deliver/courier.ts";
import { Semaphore } from "../../../../src/mail/deliver/semaphore.ts";
import type { Grant } from "../../../../src/rpc/ledger-calls.ts";
import { settingsOf } from "../../../../src/settings.ts";
import { bindings } from "../../../support/api.ts";
import { holdWaits } from "../../../support/held-time.ts";
import { messageWith } from "../compose/fixtures.ts";

const HOST = "https://egress.example.net";
const GRANT: Grant = { emailId: "email_1", recipientIndex: 0, attempt: 1 };
/** A lease lasts two minutes, and is renewed every 30 seconds. */
const RENEW_EVERY_MS = 30_000;
const RENEWALS = 5;

type Hold = (grants: readonly Grant[], now: number, courierRemembers: boolean) => Promise<void>;

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

/**
 * Carries one delivery with a courier that takes no copy until `take` is called, and then waits for
 * outcomes until `end` is called. `takesCopies` false: the courier takes none at all.
 */
function carryOne(host: string | null, takesCopies = true) {
  const [take, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const courier: Courier = async (copies) => {
    await take.promise;
    if (takesCopies) for await (const _ of copies);
    await end.promise;
  };
  const hold = vi.fn<Hold>(async () => undefined);
  const run = {
    env: { ...bindings, TEAM_LEDGER: { getByName: () => ({ hold }) } },
    settings: settingsOf(bindings),
    team: { id: "team_1", courier: null },
    couriers: { large: new Semaphore(1), remembers: () => host !== null },
  } as unknown as DeliveryRun;
  // The message has no content, so its copy can't be composed, and the courier gets none.
  const delivery = { grant: GRANT, key: "email_1/0/1", message: messageWith(), stored: null };
  const waits = holdWaits(RENEW_EVERY_MS);
  const carried = carry(run, { courier, host }, [delivery as unknown as ClaimedDelivery]);
  const renew = async (times: number): Promise<void> => {
    await expect.poll(() => waits.count).toBe(1);
    waits.pass();
    await expect.poll(() => hold.mock.calls.length).toBe(times);
  };
  return { take: take.resolve, end: end.resolve, hold, waits, carried, renew };
}

describe("a lease of a copy for a gateway", () => {
  it("is renewed until the gateway has all copies, however long that takes", async () => {
    const { take, end, hold, waits, carried, renew } = carryOne(HOST);
    for (let times = 1; times <= RENEWALS; times += 1) await renew(times);
    expect(hold).toHaveBeenLastCalledWith([GRANT], expect.any(Number), true);
    take();
    await carried.handed;
    await expect.poll(() => waits.count).toBe(0);
    end();
    await carried.unsettled;
    expect(hold).toHaveBeenCalledTimes(RENEWALS);
  });

  it("is renewed no more when the courier ended without taking all copies", async () => {
    const { take, end, hold, waits, carried, renew } = carryOne(HOST, false);
    await renew(1);
    take();
    end();
    await carried.unsettled;
    expect(waits.count).toBe(0);
    expect(hold).toHaveBeenCalledTimes(1);
  });
});

it("a lease of a copy for a courier that remembers nothing is renewed until its work ends", async () => {
  const { take, end, hold, carried, renew } = carryOne(null);
  await renew(1);
  take();
  for (let times = 2; times <= RENEWALS; times += 1) await renew(times);
  expect(hold).toHaveBeenLastCalledWith([GRANT], expect.any(Number), false);
  end();
  await carried.unsettled;
  expect(hold).toHaveBeenCalledTimes(RENEWALS);
});
