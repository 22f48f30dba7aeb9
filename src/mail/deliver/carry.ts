// Gives deliveries to one courier and settles each outcome as soon as the courier reports it
// (docs/architecture.md §Carry). The consumer renews the leases until a gateway has all copies.
// With another courier, it renews them for as long as the courier works. Messages whose content is
// not loaded yet wait until memory is free.
import { crashPoint } from "../../lib/crash-point.ts";
import { logError } from "../../lib/log.ts";
import type { ObservedHold } from "../../rpc/holds.ts";
import type { GatewayCopy } from "../../rpc/question-calls.ts";
import type { Outcome } from "../message.ts";
import type {
  HeldCopy,
  UntakenCopy,
  OutcomeTimes,
  RoomAhead,
  SimulatedFeedback,
  TakenByProvider,
} from "./courier.ts";
import type { Carrier } from "./couriers/couriers.ts";
import { type DeliveryRun, renewLeases } from "./claim.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import { keepRenewing } from "./leases.ts";
import { startOf } from "../message-start.ts";
import { composeCopies, type OpenDelivery } from "./outbound-copies.ts";
import { eventTimes } from "./outcome-times.ts";
import type { Semaphore } from "./semaphore.ts";

/** The state of a courier's work on some deliveries. */
export interface CourierRun {
  /**
   * Resolves when the consumer may take other work, because the gateway has all copies or the
   * courier has finished.
   */
  readonly handed: Promise<unknown>;
  readonly unsettled: Promise<Unsettled>;
}

/**
 * Deliveries for which a courier gave no outcome: copies that a gateway has, and deliveries that no
 * courier carried.
 */
interface Unsettled {
  readonly handedOver: readonly GatewayCopy[];
  readonly uncarried: readonly PostponedDelivery[];
  /**
   * True if the courier took no copy, and would take no other copy now. Null for the simulator's
   * courier, whose state says nothing about the team's courier.
   */
  readonly isDown: boolean | null;
}

/** A delivery that no courier carried. */
export interface PostponedDelivery {
  readonly delivery: ClaimedDelivery;
  /**
   * Present if the delivery only waits until its gateway has a free connection to the mail server.
   */
  readonly room?: RoomAhead | undefined;
  /** Present if the provider takes no copies of the domain or the account now. */
  readonly hold?: ObservedHold | undefined;
}

/** Gives the copies of these deliveries to the courier. */
export function carry(
  run: DeliveryRun,
  carrier: Carrier,
  deliveries: readonly ClaimedDelivery[],
): CourierRun {
  const handed = Promise.withResolvers<void>();
  const unsettled = carryAll(run, carrier, deliveries, handed);
  return { handed: carrier.host === null ? unsettled : handed.promise, unsettled };
}

async function carryAll(
  run: DeliveryRun,
  carrier: Carrier,
  deliveries: readonly ClaimedDelivery[],
  handed: PromiseWithResolvers<void>,
): Promise<Unsettled> {
  const { courier, host } = carrier;
  const open = new Map<string, OpenDelivery>(
    deliveries.map((delivery) => [delivery.key, { delivery, handedAt: 0 }]),
  );
  const work = (): Promise<"down" | void> =>
    whenMemoryIsFree(run.couriers.large, deliveries, (leave) => {
      const copies = composeCopies(run, open.values(), carrier.held, () => {
        leave();
        handed.resolve();
      });
      return courier(copies, (key, outcome, additions) =>
        enterReport(run, carrier, open, key, outcome, additions),
      );
    });
  const working = work().finally(handed.resolve);
  const until = host === null ? working : handed.promise;
  const renewing = keepRenewing(
    () =>
      renewLeases(
        run,
        [...open.values()].map(({ delivery }) => delivery),
      ),
    run.settings.leaseSpeedup,
    () => until,
  );
  const [end] = await Promise.all([working, renewing]);
  await crashPoint(run.env.CRASH_POINT_URL, "after_smtp");
  const left = [...open.values()];
  // The courier stops at a hold of the account, so the copies that it did not take are also on
  // hold.
  for (const one of left)
    if (one.handedAt === 0)
      one.hold ??= carrier.held?.of(one.delivery.message.fromDomain, Date.now());
  const isLeft = ({ handedAt }: OpenDelivery): boolean => host !== null && handedAt > 0;
  return {
    handedOver: left.filter(isLeft).map(({ delivery }) => ({ ...delivery.grant, host: host! })),
    uncarried: left
      .filter((one) => !isLeft(one))
      .map(({ delivery, room, hold }) => ({ delivery, room, hold })),
    isDown:
      carrier === run.couriers.simulator
        ? null
        : end === "down" && left.length === deliveries.length && left.every(({ hold }) => !hold),
  };
}

/** Adds the courier's report about a copy to the settlement queue. */
function enterReport(
  { settling }: DeliveryRun,
  carrier: Pick<Carrier, "held">,
  open: Map<string, OpenDelivery>,
  key: string,
  outcome: Outcome | TakenByProvider | UntakenCopy | HeldCopy,
  additions: Partial<SimulatedFeedback & OutcomeTimes> = {},
): void {
  const carried = open.get(key);
  if (!carried) return;
  const { fromDomain } = carried.delivery.message;
  if (outcome.kind === "held") {
    carried.handedAt = 0;
    carried.hold = carrier.held?.note(outcome, fromDomain, Date.now());
    return;
  }
  if (outcome.kind === "not_taken") {
    carried.handedAt = 0;
    carried.room = outcome.room;
    return;
  }
  const { delivery } = carried;
  const { takenAt, repliedAt: _, ...feedback } = additions;
  // If the courier knows when the gateway got the copy, that time may be before `handedAt`, because
  // another consumer may have transferred the copy earlier.
  const earliest = takenAt === undefined ? carried.handedAt : startOf(delivery.message);
  const times = eventTimes(additions, earliest, Date.now());
  const isCarried = !delivery.simulation && isOfCourier(outcome);
  if (isCarried) carrier.held?.forget(fromDomain);
  const circumstances = { handedAt: times.handedAt, now: times.repliedAt, isCarried, ...feedback };
  try {
    if (outcome.kind === "taken") settling.enterTaken(delivery, outcome, circumstances);
    else settling.enterOutcome(delivery, outcome, circumstances);
    open.delete(key);
  } catch (error) {
    // The error is not thrown, because the courier still has other outcomes to report.
    logError("settle_failed", error, { email_id: delivery.message.id });
  }
}

/**
 * Returns whether the courier took or judged the copy, which shows that it takes copies of the
 * domain.
 */
function isOfCourier(outcome: Outcome | TakenByProvider): boolean {
  return outcome.kind === "reply" || (outcome.kind === "taken" && outcome.providerId !== null);
}

/**
 * Calls `work`. If a delivery is large, first waits until few other large messages are in this
 * invocation's memory. `work` must call `allHanded` when the courier has taken all copies.
 */
async function whenMemoryIsFree<Result>(
  large: Semaphore,
  deliveries: readonly ClaimedDelivery[],
  work: (allHanded: () => void) => Promise<Result>,
): Promise<Result> {
  const isLarge = deliveries.some(({ stored }) => stored?.content === null);
  const leave = isLarge ? await large.enter() : () => undefined;
  try {
    return await work(leave);
  } finally {
    leave();
  }
}
