// Tests how outcomes reach the ledger when it fails or is slow
// (src/mail/deliver/settlement-queue.ts), for couriers that deduplicate and for those that do not.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/env.ts";
import type { Grant, SettleResult } from "../../../../src/rpc/ledger-calls.ts";
import type { ClaimedDelivery } from "../../../../src/mail/deliver/claimed-delivery.ts";
import { SettlementQueue } from "../../../../src/mail/deliver/settlement-queue.ts";
import { bindings } from "../../../support/api.ts";
import { holdWaits } from "../../../support/held-time.ts";
import { messageWith } from "../compose/fixtures.ts";

const APPLIED: SettleResult = { applied: [0], refused: [] };
const GRANT: Grant = { emailId: "email_1", recipientIndex: 0, attempt: 1 };

beforeEach(() => {
  for (const method of ["log", "error"] as const)
    vi.spyOn(console, method).mockImplementation(() => undefined);
});

/** Settles one outcome with a fake ledger that has only the methods `settle` and `hold`. */
async function settleOne(
  settle: () => Promise<SettleResult>,
  hold: (grants: readonly Grant[]) => Promise<void>,
  courierRemembers: boolean,
): Promise<void> {
  const ledger = { settle, hold };
  const env: Env = {
    ...bindings,
    TEAM_LEDGER: { getByName: () => ledger } as unknown as Env["TEAM_LEDGER"],
  };
  const settling = new SettlementQueue(env, "team_1", courierRemembers);
  const delivery = { grant: GRANT, message: messageWith() } as unknown as ClaimedDelivery;
  settling.enterRecord(delivery, { events: [], suppress: null }, null);
  await settling.close();
}

const holdNone = (): Promise<void> => Promise.resolve();

describe("a call to the ledger that fails", () => {
  it("is repeated for a courier that does not deduplicate, which would send again", async () => {
    const settle = vi.fn<() => Promise<SettleResult>>().mockRejectedValueOnce(new Error("reset"));
    settle.mockResolvedValue(APPLIED);
    await settleOne(settle, holdNone, false);
    expect(settle).toHaveBeenCalledTimes(2);
  });

  it("is not repeated for a courier that deduplicates, whose outcome is asked for again", async () => {
    const settle = vi.fn<() => Promise<SettleResult>>().mockRejectedValue(new Error("reset"));
    await expect(settleOne(settle, holdNone, true)).rejects.toThrow("reset");
    expect(settle).toHaveBeenCalledTimes(1);
  });
});

describe("a lease whose outcome is being settled", () => {
  it("is renewed until the ledger has answered, if the courier does not deduplicate", async () => {
    const answer = Promise.withResolvers<SettleResult>();
    const hold = vi.fn<(grants: readonly Grant[]) => Promise<void>>(async () =>
      answer.resolve(APPLIED),
    );
    const waits = holdWaits(30_000);
    const settled = settleOne(() => answer.promise, hold, false);
    await expect.poll(() => waits.count).toBe(1);
    waits.pass();
    await settled;
    expect(hold).toHaveBeenCalledWith([GRANT], expect.any(Number));
  });
});
