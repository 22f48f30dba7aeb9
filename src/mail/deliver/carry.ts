// Hands deliveries to one courier and settles each outcome as the courier reports it
// (docs/architecture.md §Carry). Leases are renewed while a courier works that does not
// deduplicate, and messages whose content is still to be loaded wait until memory for it is free.
import { crashPoint } from "../../lib/crash-point.ts";
import { logError } from "../../lib/log.ts";
import type { Outcome } from "../message.ts";
import { startOf } from "../message-start.ts";
import type { TakenByProvider, SimulatedFeedback } from "./courier.ts";
import type { Carrier } from "./couriers/couriers.ts";
import type { DeliveryRun } from "./claim.ts";
import type { Delivery } from "./claimed-delivery.ts";
import { holdLeases } from "./leases.ts";
import { composeCopies, type OpenDelivery } from "./outbound-copies.ts";
import { nextAttempt } from "./schedule.ts";
import type { Semaphore } from "./semaphore.ts";

/** A delivery that no courier carried, and when it may be offered again, Unix milliseconds. */
export interface Uncarried {
  readonly delivery: Delivery;
  readonly notBefore: number;
}

/**
 * Offers the deliveries' copies to the courier. Returns the deliveries that got no outcome: as far
 * as we know they were not carried.
 */
export async function carry(
  run: DeliveryRun,
  { courier, remembers, pausedUntil }: Carrier,
  deliveries: readonly Delivery[],
): Promise<Uncarried[]> {
  const open = new Map<string, OpenDelivery>(
    deliveries.map((delivery) => [delivery.key, { delivery, handedAt: 0 }]),
  );
  const uncarried = (): Delivery[] => [...open.values()].map(({ delivery }) => delivery);
  const onOutcome = (
    key: string,
    outcome: Outcome | TakenByProvider,
    feedback?: SimulatedFeedback,
  ): void => {
    const carried = open.get(key);
    if (!carried) return;
    try {
      enterCarried(run, carried, outcome, feedback);
      open.delete(key);
    } catch (error) {
      // Caught here, because the courier has further outcomes to report.
      logError("settle_failed", error, { email_id: carried.delivery.message.id });
    }
  };
  const work = (): Promise<void> =>
    whenMemoryIsFree(run.couriers.large, deliveries, (allHanded) =>
      courier(composeCopies(run, open.values(), allHanded), onOutcome),
    );
  const ledger = run.env.TEAM_LEDGER.getByName(run.team.id);
  const renew = async (): Promise<void> =>
    ledger.hold(
      uncarried().map(({ grant }) => grant),
      Date.now(),
    );
  if (remembers) await work();
  else await holdLeases(renew, run.settings.retrySpeedup, work);
  await crashPoint(run.env.CRASH_POINT_URL, "after_smtp");
  const notBefore = pausedUntil?.() ?? 0;
  return uncarried().map((delivery) => ({ delivery, notBefore }));
}

function enterCarried(
  { settings, settling }: DeliveryRun,
  { delivery, handedAt }: OpenDelivery,
  outcome: Outcome | TakenByProvider,
  feedback: Partial<SimulatedFeedback> = {},
): void {
  // The outcome comes at least a millisecond after `email.sent`, which has the time `handedAt`.
  const now = Math.max(Date.now(), handedAt + 1);
  const nextAttemptAt = nextAttempt(
    startOf(delivery.message),
    delivery.grant.attempt,
    now,
    Math.random(),
    settings.retrySpeedup,
  );
  const circumstances = { nextAttemptAt, handedAt, now, ...feedback };
  if (outcome.kind === "taken")
    settling.enterTaken(delivery, outcome.providerId, circumstances, settings.retrySpeedup);
  else settling.enterOutcome(delivery, outcome, circumstances);
}

/**
 * Does `work` once few other large messages are in this invocation's memory, if one of the
 * deliveries is large. `work` calls `allHanded` when the courier has taken all copies.
 */
async function whenMemoryIsFree(
  large: Semaphore,
  deliveries: readonly Delivery[],
  work: (allHanded: () => void) => Promise<void>,
): Promise<void> {
  const isLarge = deliveries.some(({ stored }) => stored.content === null);
  const leave = isLarge ? await large.enter() : () => undefined;
  try {
    await work(leave);
  } finally {
    leave();
  }
}
