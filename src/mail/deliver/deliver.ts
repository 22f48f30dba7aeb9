// Delivers one team's share of a batch: claims it, checks suppressions, composes, hands to the
// courier, and enters each outcome into the books (docs/architecture.md §Claim). Copies are
// composed only as the courier takes them, since a batch may hold more than an isolate's memory.
import { Buffer } from "node:buffer";
import { suppressionsOf } from "../../db/client.ts";
import type { Team } from "../../endpoint.ts";
import { type Env, type Settings, settingsOf } from "../../env.ts";
import type { Claim, ClaimedMessage, Grant, JobRef } from "../../ledger/ledger-contract.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { logError } from "../../lib/log.ts";
import { yieldAfter } from "../../lib/step-scheduler.ts";
import { EXPIRY_AFTER_MS } from "../../limits.ts";
import { signingKeyFor } from "../../resources/domains/dkim-keys.ts";
import {
  type ActiveSuppression,
  findActiveSuppressions,
  findSuppressing,
} from "../../resources/suppressions/automatic-suppressions.ts";
import { teamFor } from "../../resources/teams/team-cache.ts";
import { compose } from "../compose/compose.ts";
import { composeRaw, type PreparedRaw, prepareRaw } from "../compose/raw.ts";
import type { NewEvent, Message, MessageContent, Outcome } from "../message.ts";
import { releaseDayAt } from "../recipient-ref.ts";
import { mintToken } from "../token.ts";
import type { OutboundCopy, SimulatedFeedback } from "./couriers/courier.ts";
import type { Carrier, Couriers } from "./couriers/couriers.ts";
import { toAttemptRecord, withSimulatedFeedback } from "./attempt-record.ts";
import { holdingLeases } from "./leases.ts";
import { linksOf } from "./links.ts";
import { nextAttempt } from "./schedule.ts";
import { Settling } from "./settling.ts";
import { type Simulation, simulationOf } from "./simulator/simulation.ts";
import type { Semaphore } from "./semaphore.ts";

type Content = MessageContent | PreparedRaw;

interface Run {
  readonly env: Env;
  readonly settings: Settings;
  readonly team: Team;
  readonly settling: Settling;
  readonly stored: ReadonlyMap<string, ClaimedMessage>;
  readonly large: Semaphore;
}

/** Around an outcome, in Unix milliseconds. */
interface Circumstances extends Partial<SimulatedFeedback> {
  readonly nextAttemptAt: number | null;
  readonly now: number;
  /** When the copy was handed to the courier; null: it never was. */
  readonly handedAt?: number | null;
}

/**
 * Delivers what the ledger grants of `jobs`. Returns once everything is settled. Throws when
 * something of ours is down; nothing is lost by that, and what was settled stays so.
 */
export async function deliverJobs(
  env: Env,
  teamId: string,
  jobs: readonly JobRef[],
  couriers: Couriers,
): Promise<void> {
  const team = await teamFor(env, teamId, Date.now());
  if (!team) return; // deleted: its ledger is gone too
  const ledger = env.TEAM_LEDGER.getByName(teamId);
  const courierRemembers = couriers.remembers(team.courier);
  const claim: Claim = await ledger.claim(
    jobs.map(({ emailId, recipientIndex }) => ({ emailId, recipientIndex })),
    Date.now(),
    courierRemembers,
  );
  await crashPoint(env.CRASH_POINT_URL, "after_claim");
  const settling = new Settling(env, team, claim.messages, courierRemembers);
  const stored = new Map(claim.messages.map((one) => [one.emailId, one]));
  const run: Run = {
    env,
    settings: settingsOf(env),
    team,
    settling,
    stored,
    large: couriers.large,
  };
  const sendable = await dropSuppressed(
    run,
    claim.grants.filter((grant) => settling.has(grant)),
  );
  const shares = Map.groupBy(sendable, (grant) =>
    simulationFor(run, grant) ? couriers.simulator : couriers.of(team.courier, keyOf(grant)),
  );
  const leftOver = (
    await Promise.all([...shares].map(([carrier, grants]) => carry(run, carrier, grants)))
  ).flat();
  const waiting = leftOver.filter((grant) => !isGivenUp(run, grant));
  await settling.close();
  if (waiting.length > 0) await ledger.postpone(waiting, Date.now());
}

/**
 * Ends what is suppressed; the rest may go out. Suppressions are asked at every attempt: one may
 * have come since the last.
 */
async function dropSuppressed(run: Run, grants: readonly Grant[]): Promise<Grant[]> {
  const now = Date.now();
  if (grants.length === 0) return [];
  const suppressions = await findActiveSuppressions(
    suppressionsOf(run.env, run.team),
    grants.map((grant) => recipientOf(run, grant)),
    now,
  );
  return grants.filter((grant) => {
    const message = run.settling.message(grant.emailId);
    const suppression =
      findSuppressing(
        suppressions.get(recipientOf(run, grant).toLowerCase()) ?? [],
        message.topic,
      ) ?? simulatedSuppression(run, grant);
    if (suppression) {
      run.settling.enter({
        ...grant,
        facts: { events: [suppressed(run, grant, suppression, now)], suppress: null },
        nextAttemptAt: null,
      });
    }
    return !suppression;
  });
}

/**
 * Ends what no courier took while it had time. Whatever can be tried is tried first, however late,
 * so that the last word is a server's where there is one.
 */
function isGivenUp(run: Run, grant: Grant): boolean {
  const now = Date.now();
  if (
    now <
    run.settling.message(grant.emailId).acceptedAt + EXPIRY_AFTER_MS / run.settings.retrySpeedup
  )
    return false;
  const outcome: Outcome = {
    kind: "failure",
    cause: "other",
    detail: "the courier was not reached in time",
    mxHost: null,
  };
  settle(run, grant, outcome, { nextAttemptAt: null, now });
  return true;
}

/**
 * Offers the grants' copies to the courier. Returns those that it did not carry as far as anyone
 * knows.
 */
async function carry(
  run: Run,
  { courier, remembers }: Carrier,
  grants: readonly Grant[],
): Promise<Grant[]> {
  const open = new Map(grants.map((grant) => [keyOf(grant), { grant, handedAt: 0 }]));
  const left = (): Grant[] => [...open.values()].map(({ grant }) => grant);
  const carryAll = (allHanded: () => void): Promise<void> =>
    courier(parcels(run, open, allHanded), (key, outcome, sequel) => {
      const carried = open.get(key);
      if (!carried) return;
      const message = run.settling.message(carried.grant.emailId);
      // what became of it comes after its sending
      const now = Math.max(Date.now(), carried.handedAt + 1);
      const next = nextAttempt(
        message.acceptedAt,
        carried.grant.attempt,
        now,
        Math.random(),
        run.settings.retrySpeedup,
      );
      try {
        settle(run, carried.grant, outcome, {
          nextAttemptAt: next,
          handedAt: carried.handedAt,
          now,
          ...sequel,
        });
        open.delete(key);
      } catch (error) {
        // the courier has others to tell of
        logError("settle_failed", error, { email_id: carried.grant.emailId });
      }
    });
  const work = (): Promise<void> => withRoom(run, grants, carryAll);
  const ledger = run.env.TEAM_LEDGER.getByName(run.team.id);
  if (remembers) await work();
  else
    await holdingLeases(
      async () => ledger.hold(left(), Date.now()),
      run.settings.retrySpeedup,
      work,
    );
  await crashPoint(run.env.CRASH_POINT_URL, "after_smtp");
  return left();
}

/**
 * Waits, where one of the grants' messages is large, until few others are loaded by this
 * invocation. `work` tells when the copies are all handed over.
 */
async function withRoom(
  { stored, large }: Run,
  grants: readonly Grant[],
  work: (allHanded: () => void) => Promise<void>,
): Promise<void> {
  const isLarge = grants.some(({ emailId }) => stored.get(emailId)?.contentKey != null);
  const leave = isLarge ? await large.enter() : () => undefined;
  try {
    await work(leave);
  } finally {
    leave();
  }
}

/**
 * The copies, composed one at a time. One that can't be composed now is left out, and so offered
 * again later.
 */
async function* parcels(
  run: Run,
  open: Map<string, { grant: Grant; handedAt: number }>,
  allHanded: () => void,
): AsyncGenerator<OutboundCopy> {
  let loaded: { emailId: string; content: Content } | undefined;
  for (const [key, entry] of open) {
    const { emailId, recipientIndex } = entry.grant;
    try {
      const message = run.settling.message(emailId);
      if (loaded?.emailId !== emailId)
        loaded = { emailId, content: await loadContent(run, message) };
      const parcel = await pack(run, key, message, loaded.content, recipientIndex);
      await yieldAfter(parcel.bytes.length);
      entry.handedAt = Date.now();
      yield parcel;
    } catch (error) {
      logError("compose_failed", error, { email_id: emailId });
    }
  }
  loaded = undefined;
  allHanded();
}

async function pack(
  { env, settings, team }: Run,
  key: string,
  message: Message,
  content: Content,
  recipientIndex: number,
): Promise<OutboundCopy> {
  const dkim = await signingKeyFor(env, settings, message.domainId);
  if (!dkim) throw new Error(`the domain ${message.domainId} is gone`);
  const ref = {
    teamNumber: team.number,
    emailId: message.id,
    recipientIndex,
    releaseDay: releaseDayAt(message.acceptedAt),
  };
  const token = await mintToken(settings.signingKey, "return-path", ref);
  const links = await linksOf(env, settings, message, ref);
  const returnPath = `b+${token}@bounces.${message.fromDomain}`;
  return {
    key,
    mailFrom: returnPath,
    rcptTo: message.recipients[recipientIndex] ?? "",
    sender: message.from.email,
    pool: message.ipPool,
    bytes:
      "ascii" in content
        ? await composeRaw({ message, prepared: content, recipientIndex, dkim, returnPath, links })
        : await compose({ message, content, recipientIndex, dkim, returnPath, ...links }),
  };
}

async function loadContent(run: Run, { id, source }: Message): Promise<Content> {
  const stored = run.stored.get(id);
  if (stored?.content)
    return source === "raw"
      ? prepareRaw(Buffer.from(stored.content, "latin1"))
      : (JSON.parse(stored.content) as MessageContent);
  const object = stored?.contentKey ? await run.env.CONTENT.get(stored.contentKey) : null;
  if (!object) throw new Error(`the content of ${id} is missing`);
  return source === "raw"
    ? prepareRaw(new Uint8Array(await object.arrayBuffer()))
    : object.json<MessageContent>();
}

function settle(
  run: Run,
  grant: Grant,
  outcome: Outcome,
  { nextAttemptAt, now, handedAt = null, aftermath }: Circumstances,
): void {
  const context = {
    recipient: recipientOf(run, grant),
    attempt: grant.attempt,
    handedAt,
    nextAttemptAt,
    now,
  };
  const { facts, terminal } = toAttemptRecord(outcome, context);
  const whole = aftermath ? withSimulatedFeedback(facts, context, aftermath) : facts;
  run.settling.enter({ ...grant, facts: whole, nextAttemptAt: terminal ? null : nextAttemptAt });
}

function simulationFor(run: Run, grant: JobRef): Simulation | null {
  return simulationOf(recipientOf(run, grant), run.settings.serviceDomain);
}

/** Of the simulator's address that is as good as on the list, though no row is ever made for it. */
function simulatedSuppression(
  run: Run,
  grant: JobRef,
): Pick<ActiveSuppression, "reason" | "topic" | "classification"> | undefined {
  const isSuppressed = simulationFor(run, grant)?.kind === "suppressed";
  return isSuppressed
    ? { reason: "permanent_bounce", topic: "*", classification: "InvalidRecipient" }
    : undefined;
}

function suppressed(
  run: Run,
  grant: Grant,
  { reason, topic, classification }: Pick<ActiveSuppression, "reason" | "topic" | "classification">,
  now: number,
): NewEvent {
  return {
    type: "email.suppressed",
    occurredAt: now,
    recipient: recipientOf(run, grant),
    attempt: null,
    smtpCode: null,
    bounce: null,
    suppression: { reason, topic, classification },
  };
}

function recipientOf(run: Run, { emailId, recipientIndex }: JobRef): string {
  return run.settling.message(emailId).recipients[recipientIndex] ?? "";
}

function keyOf({ emailId, recipientIndex, attempt }: Grant): string {
  return `${emailId}/${recipientIndex}/${attempt}`;
}
