// Delivers one team's share of a queue batch (docs/architecture.md §Claim): claims the jobs, drops
// suppressed recipients, routes each delivery to its courier, and settles every outcome in the
// team's ledger. Deliveries that no courier carried are given up after 72 hours, else postponed.
// Those that a provider took without ever giving a verdict end too.
import { type Env } from "../../env.ts";
import { settingsOf } from "../../settings.ts";
import type { JobRef } from "../../contracts/ledger-contract.ts";
import { EXPIRY_AFTER_MS } from "../../limits.ts";
import { teamFor } from "../../resources/team-settings/team-cache.ts";
import { startOf } from "../message-start.ts";
import { carry, type Uncarried } from "./carry.ts";
import { claim, type DeliveryRun } from "./claim.ts";
import type { Carrier, Couriers } from "./couriers/couriers.ts";
import type { Delivery } from "./claimed-delivery.ts";
import { dropSuppressed } from "./drop-suppressed.ts";
import { dropFromGoneDomains } from "./gone-domain.ts";
import { Settling } from "./settling.ts";

/**
 * Delivers the jobs that the ledger grants. `largeBytes`: the large content that their claim may
 * bring along. Returns once every outcome is settled. Throws when a part of our own service is down.
 * A throw loses nothing: what was settled stays settled, and the rest is claimed again later.
 */
export async function deliverJobs(
  env: Env,
  teamId: string,
  jobs: readonly JobRef[],
  couriers: Couriers,
  largeBytes: number,
): Promise<void> {
  const team = await teamFor(env, teamId, Date.now());
  if (!team) return; // deleted: its ledger is gone too
  const settling = new Settling(env, team.id, couriers.remembers(team.courier));
  const run: DeliveryRun = { env, settings: settingsOf(env), team, couriers, settling };

  const claimed = await claim(run, jobs, largeBytes);
  const unsent = claimed.filter((delivery) => !endIfUnheard(run, delivery));
  const sendable = await dropSuppressed(run, await dropFromGoneDomains(run, unsent));
  const routed = route(run, sendable);
  const carrying = routed.map(([carrier, share]) => carry(run, carrier, share));
  const uncarried = (await Promise.all(carrying)).flat();
  const waiting = uncarried.filter(({ delivery }) => !giveUpIfExpired(run, delivery));
  await settling.close();
  await postpone(run, waiting);
}

/** Groups deliveries by courier. Copies to the simulator's addresses go to its own courier. */
function route(
  { couriers, team }: DeliveryRun,
  deliveries: readonly Delivery[],
): [carrier: Carrier, share: Delivery[]][] {
  const shares = Map.groupBy(deliveries, ({ key, simulation }) =>
    simulation ? couriers.simulator : couriers.of(team.courier, key),
  );
  return [...shares];
}

/**
 * Bounces a delivery whose copy the provider took and gave no verdict on in 72 hours. The bounce
 * quotes the last reply that the provider reported.
 */
function endIfUnheard({ settling }: DeliveryRun, delivery: Delivery): boolean {
  const { unheard } = delivery.grant;
  if (unheard) settling.enterUnheard(delivery, unheard, Date.now());
  return unheard !== undefined;
}

/**
 * Bounces a delivery whose 72 hours are over and that no courier carried. Called only after the
 * courier was asked, however late, so that where possible the bounce quotes a server's reply.
 */
function giveUpIfExpired({ settings, settling }: DeliveryRun, delivery: Delivery): boolean {
  const now = Date.now();
  const deadline = startOf(delivery.message) + EXPIRY_AFTER_MS / settings.retrySpeedup;
  if (now < deadline) return false;
  settling.enterOutcome(
    delivery,
    {
      kind: "failure",
      cause: "other",
      detail: "the courier was not reached in time",
      mxHost: null,
    },
    { handedAt: null, nextAttemptAt: null, now },
  );
  return true;
}

/** Puts deliveries back into the ledger, which offers the same attempts again after a while. */
async function postpone(
  { env, team }: DeliveryRun,
  deliveries: readonly Uncarried[],
): Promise<void> {
  const ledger = env.TEAM_LEDGER.getByName(team.id);
  for (const [notBefore, some] of Map.groupBy(deliveries, (one) => one.notBefore)) {
    const grants = some.map(({ delivery }) => delivery.grant);
    await ledger.postpone(grants, Date.now(), notBefore);
  }
}
