// Delivers the jobs of one team in a queue batch (docs/architecture.md §Claim): claims the jobs,
// drops suppressed and unmailable recipients, gives each delivery to its courier, and settles every
// outcome in the team's ledger. The ledger asks for the outcomes of copies that a gateway has
// (ask.ts). A delivery that no courier carried is postponed, and ends after 72 hours. A delivery
// without a provider's verdict also ends after 72 hours. The ledger puts a delivery on hold if its
// domain or account may not send (§Hold), for 7 days at most.
import type { Env } from "../../env.ts";
import type { GatewayCopy, PostponedGrant } from "../../rpc/question-calls.ts";
import type { JobRef } from "../../rpc/ledger-calls.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { carry, type CourierRun, type PostponedDelivery } from "./carry.ts";
import { claim, type DeliveryRun, renewLeases } from "./claim.ts";
import type { Carrier, Couriers } from "./couriers/couriers.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import { beginKeeping } from "./keep-content.ts";
import { dropSuppressed } from "./drop/drop-suppressed.ts";
import { dropFromGoneDomains } from "./drop/gone-domain.ts";
import { giveUpIfExpired } from "./expiry.ts";
import { keepRenewing } from "./leases.ts";
import { dropUnmailable } from "./drop/unmailable.ts";
import { objectOf } from "../../object-of.ts";

/**
 * Delivers the jobs that the ledger grants. The claim may return up to `largeBytes` bytes of large
 * content. With a gateway, resolves when the gateway has all copies. Passes the rest of the work to
 * `later`, so that the queue need not wait for mail servers. With another courier, resolves when
 * all work is done. Throws if a part of the service is down. An error loses nothing: settled
 * outcomes stay, and the other jobs are claimed again after a wait.
 */
export async function deliverJobs(
  env: Env,
  teamId: string,
  jobs: readonly JobRef[],
  couriers: Couriers,
  largeBytes: number,
  later: (work: Promise<void>) => void,
): Promise<void> {
  const granted = await claim(env, teamId, jobs, couriers, largeBytes);
  if (!granted) return;
  const { run, claimed } = granted;
  const keepRest = beginKeeping(run, claimed);
  const unsent = claimed.filter(
    (delivery) => !endIfUnheard(run, delivery) && !endIfHeldOut(run, delivery),
  );
  const sendable = await keepRenewing(
    () => renewLeases(run, unsent),
    run.settings.leaseSpeedup,
    async () => dropSuppressed(run, await dropFromGoneDomains(run, dropUnmailable(run, unsent))),
  );
  const routed = route(run, sendable);
  const carrying = routed.map(([carrier, share]) => carry(run, carrier, share));
  const settled = settleAll(run, carrying);
  // `Promise.race` throws a fault that comes before the courier has all copies.
  await Promise.race([settled, Promise.all(carrying.map(({ handed }) => handed))]);
  later(settled);
  later(keepRest());
}

/** Settles outcomes as soon as they are known, and reports the other deliveries to the ledger. */
async function settleAll(run: DeliveryRun, carrying: readonly CourierRun[]): Promise<void> {
  const unsettled = await Promise.all(carrying.map((one) => one.unsettled));
  const postponed = unsettled
    .flatMap(({ uncarried }) => uncarried)
    .filter(({ delivery, hold }) => hold || !giveUpIfExpired(run.settings, run.settling, delivery));
  await run.settling.close();
  const states = unsettled.flatMap(({ isDown }) => isDown ?? []);
  await leave(
    run,
    unsettled.flatMap(({ handedOver }) => handedOver),
    postponed,
    states.length > 0 && states.every(Boolean),
  );
}

/**
 * Groups deliveries by courier. Copies to the simulator's addresses go to the simulator's courier.
 */
function route(
  { couriers, team }: DeliveryRun,
  deliveries: readonly ClaimedDelivery[],
): [carrier: Carrier, share: ClaimedDelivery[]][] {
  const shares = Map.groupBy(deliveries, ({ key, simulation }) =>
    simulation ? couriers.simulator : couriers.of(team.courier, key),
  );
  return [...shares];
}

/**
 * Ends a delivery if the provider took the copy and gave no verdict in time. Returns whether the
 * delivery ended.
 */
function endIfUnheard({ settling }: DeliveryRun, delivery: ClaimedDelivery): boolean {
  const { unheard } = delivery.grant;
  if (!unheard) return false;
  settling.enterUnheard(delivery, unheard, Date.now());
  return true;
}

/** Bounces a delivery whose mail was on hold for too long. Returns whether the delivery ended. */
function endIfHeldOut({ settling }: DeliveryRun, delivery: ClaimedDelivery): boolean {
  const { heldOut } = delivery.grant;
  if (!heldOut) return false;
  const { scope, code, message } = heldOut;
  const cause = scope === "account" ? "held_account" : "held_domain";
  settling.endUncarried(delivery, cause, `${code}: ${message}`);
  return true;
}

/**
 * Reports to the ledger which copies a gateway has, and which deliveries must be released again.
 */
async function leave(
  { env, team, couriers }: DeliveryRun,
  handedOver: readonly GatewayCopy[],
  uncarried: readonly PostponedDelivery[],
  courierIsDown: boolean,
): Promise<void> {
  if (handedOver.length + uncarried.length === 0) return;
  const courierRemembers = couriers.remembers(team.courier);
  const postponed = uncarried.map((one) => toPostponed(one, courierRemembers));
  const ledger = objectOf(env, "TEAM_LEDGER", team.id);
  await ledger.leave({ handedOver, postponed, courierRemembers, courierIsDown }, Date.now());
  await crashPoint(env.CRASH_POINT_URL, "after_hand_over");
}

/**
 * Returns the postponed grant. A gateway takes older copies first, so the grant has the time at
 * which a courier first declined the attempt.
 */
function toPostponed(
  { delivery: { grant }, room, hold }: PostponedDelivery,
  isGateway: boolean,
): PostponedGrant {
  if (hold) return { ...grant, hold };
  if (!isGateway) return grant;
  return room
    ? { ...grant, ...room, isForRoom: true }
    : { ...grant, waitsSince: grant.waitsSince ?? Date.now() };
}
