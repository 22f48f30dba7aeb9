// Delivers the jobs of one team in a queue batch (docs/architecture.md §Claim): claims the jobs,
// drops suppressed recipients, gives each delivery to its courier, and settles every outcome in the
// team's ledger. The ledger asks for the outcomes of copies that were left with a gateway (ask.ts).
// A delivery that no courier carried is postponed, and ends after 72 hours. A delivery on which a
// provider gives no verdict also ends after 72 hours.
import { type Env } from "../../env.ts";
import { settingsOf } from "../../settings.ts";
import type { GatewayCopy } from "../../rpc/question-calls.ts";
import type { JobRef } from "../../rpc/ledger-calls.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { teamFor } from "../../resources/team-settings/team-cache.ts";
import { carry, type CourierRun, type PostponedDelivery } from "./carry.ts";
import { claim, type DeliveryRun, renewLeases } from "./claim.ts";
import type { Carrier, Couriers } from "./couriers/couriers.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import { dropSuppressed } from "./drop-suppressed.ts";
import { dropFromGoneDomains } from "./gone-domain.ts";
import { giveUpIfExpired } from "./expiry.ts";
import { keepRenewing } from "./leases.ts";
import { SettlementQueue } from "./settlement-queue.ts";

/**
 * Delivers the jobs that the ledger grants. `largeBytes`: maximum bytes of large content that the
 * claim may return. With a gateway, resolves when the gateway has all copies; the rest of the work
 * is passed to `later`, so that the queue need not wait for mail servers. With another courier,
 * resolves when all work is done. Throws if a part of our own service is down. An error loses
 * nothing: settled outcomes stay, and the other jobs are claimed again later.
 */
export async function deliverJobs(
  env: Env,
  teamId: string,
  jobs: readonly JobRef[],
  couriers: Couriers,
  largeBytes: number,
  later: (work: Promise<void>) => void,
): Promise<void> {
  const team = await teamFor(env, teamId, Date.now());
  if (!team) return; // the team and its ledger were deleted
  const settling = new SettlementQueue(env, team.id, couriers.remembers(team.courier));
  const run: DeliveryRun = { env, settings: settingsOf(env), team, couriers, settling };

  const claimed = await claim(run, jobs, largeBytes);
  const unsent = claimed.filter((delivery) => !endIfUnheard(run, delivery));
  const sendable = await keepRenewing(
    () => renewLeases(run, unsent),
    run.settings.leaseSpeedup,
    async () => dropSuppressed(run, await dropFromGoneDomains(run, unsent)),
  );
  const routed = route(run, sendable);
  const carrying = routed.map(([carrier, share]) => carry(run, carrier, share));
  const settled = settleAll(run, carrying);
  // `Promise.race` throws a fault that comes before the copies are handed over.
  await Promise.race([settled, Promise.all(carrying.map(({ handed }) => handed))]);
  later(settled);
}

/** Settles outcomes as soon as they are known, and leaves the other deliveries to the ledger. */
async function settleAll(run: DeliveryRun, carrying: readonly CourierRun[]): Promise<void> {
  const unsettled = await Promise.all(carrying.map((one) => one.unsettled));
  const postponed = unsettled
    .flatMap(({ uncarried }) => uncarried)
    .filter(({ delivery }) => !giveUpIfExpired(run.settings, run.settling, delivery));
  await run.settling.close();
  await leave(
    run,
    unsettled.flatMap(({ handedOver }) => handedOver),
    postponed,
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
 * Bounces a delivery if the provider took the copy and gave no verdict on it in 72 hours. The
 * bounce quotes the last reply that the provider reported.
 */
function endIfUnheard({ settling }: DeliveryRun, delivery: ClaimedDelivery): boolean {
  const { unheard } = delivery.grant;
  if (unheard) settling.enterUnheard(delivery, unheard, Date.now());
  return unheard !== undefined;
}

/** Tells the ledger which copies a gateway has, and which deliveries must be released again. */
async function leave(
  { env, team, couriers }: DeliveryRun,
  handedOver: readonly GatewayCopy[],
  uncarried: readonly PostponedDelivery[],
): Promise<void> {
  if (handedOver.length + uncarried.length === 0) return;
  const postponed = uncarried.map(({ delivery, notBefore }) => ({ ...delivery.grant, notBefore }));
  const courierRemembers = couriers.remembers(team.courier);
  const ledger = env.TEAM_LEDGER.getByName(team.id);
  await ledger.leave({ handedOver, postponed, courierRemembers }, Date.now());
  await crashPoint(env.CRASH_POINT_URL, "after_hand_over");
}
