// Tests that every recipient gets exactly one final event within 72 hours plus one retry wait
// (contract.md §Event types), although a fifth of all wake-ups are lost.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { EXPIRY_AFTER_MS, HOUR_MS } from "../../src/limits.ts";
import { listEvents } from "../../src/resources/events/history.ts";
import type { EventRecord } from "../../src/rpc/event-records.ts";
import { positionOf } from "../../src/resources/events/event-window.ts";
import { teamFor } from "../../src/resources/team-settings/team-cache.ts";
import { bindings, makeTeam, type TestTeam } from "../support/api.ts";
import { makeSendingDomain } from "../support/domain.ts";
import { putSuppression } from "../support/suppressions.ts";
import { RoughChance } from "./rough/rough-chance.ts";
import { RoughGateway, type Server } from "./rough/rough-gateway.ts";
import type { Position } from "../../src/rpc/history-query.ts";
import { RoughWeather, setClock, STEP_MS } from "./rough/rough-weather.ts";

/** A time far in the future, so that no Durable Object alarm goes off before the test runs it. */
const NOON = Date.UTC(2031, 0, 15, 12);
/** The longest wait between two attempts: four hours plus jitter. */
const LONGEST_WAIT_MS = 4.4 * HOUR_MS;
const SEED = 1;
const TERMINAL = new Set("email.delivered email.bounced email.suppressed".split(" "));

type Listed = Awaited<ReturnType<typeof listEvents>>;

interface Recipient {
  readonly teamId: string;
  readonly address: string;
  readonly acceptedAt: number;
  /** The expected type of the recipient's final event, and of a bounce also the bounce's type. */
  readonly fate: string;
}

class Scene {
  readonly recipients: Recipient[] = [];
  readonly chance: RoughChance;
  readonly gateway: RoughGateway;
  readonly #senders: { readonly team: TestTeam; readonly domain: string }[] = [];

  constructor(seed: number) {
    this.chance = new RoughChance(seed);
    this.gateway = new RoughGateway(this.chance);
  }

  get teamIds(): string[] {
    return this.#senders.map(({ team }) => team.id);
  }

  async addTeam(): Promise<void> {
    // The low delivery rate makes some messages wait for their release.
    const team = await makeTeam({
      limits: { requests_per_second: 1_000, delivery_rate_per_minute: 30 },
    });
    this.#senders.push({ team, domain: await makeSendingDomain(team.id) });
  }

  /** Sends this number of messages from each team. */
  async send(messages: number): Promise<void> {
    for (const [index, { team, domain }] of this.#senders.entries()) {
      this.chance.on(`send ${index} at ${Date.now()}`);
      const emails = Array.from({ length: messages }, (_, message) => ({
        from: `hello@${domain}`,
        to: Array.from({ length: this.chance.one("recipients", [1, 1, 1, 1, 1, 1, 1, 3]) }, () =>
          this.#someone(team.id),
        ),
        subject: "Hi",
        text: "Hello.",
        ...(message % 3 === 0 ? { campaign: "spring" } : {}),
      }));
      const suppressed = emails.flatMap(({ to }) =>
        to.filter((address) => address.startsWith("suppressed")),
      );
      for (const email of suppressed)
        await putSuppression(team, { email, reason: "manual", origin: "manual" });
      const response = await team.post("/v1/email/batch", { emails });
      expect(response.status, await response.clone().text()).toBe(202);
    }
  }

  #someone(teamId: string): string {
    const now = Date.now();
    const { server, fate } = this.#fate(now);
    const address = `${fate === "email.suppressed" ? "suppressed" : server.kind}-${this.recipients.length}@receiver.example`;
    this.gateway.decide(address, server);
    this.recipients.push({ teamId, address, acceptedAt: now, fate });
    return address;
  }

  #fate(now: number): { readonly server: Server; readonly fate: string } {
    const after = 1 + this.chance.below("after", 8);
    const later = now + this.chance.below("later", 12 * HOUR_MS);
    const delivered = "email.delivered";
    const expired = "email.bounced expired";
    const refused = "email.bounced permanent";
    const often = { server: { kind: "accepts", after: 0 }, fate: delivered } as const;
    return this.chance.one("fate", [
      ...Array.from({ length: 7 }, () => often),
      { server: { kind: "accepts", after: 0 }, fate: "email.suppressed" },
      { server: { kind: "accepts", after }, fate: delivered },
      { server: { kind: "accepts", after }, fate: delivered },
      { server: { kind: "refuses", after: 0 }, fate: refused },
      { server: { kind: "refuses", after }, fate: refused },
      { server: { kind: "defers" }, fate: expired },
      { server: { kind: "defers" }, fate: expired },
      { server: { kind: "unreachable" }, fate: expired },
      // Only a few servers never answer. The ledger releases the job of each such message hundreds
      // of times, which takes long.
      {
        server: { kind: "silent", until: after === 1 ? Number.POSITIVE_INFINITY : later },
        fate: after === 1 ? expired : delivered,
      },
    ]);
  }
}

/** Maps each recipient to its events of all teams, oldest first. */
async function eventsByRecipient(teamIds: readonly string[]): Promise<Map<string, EventRecord[]>> {
  const all: EventRecord[] = [];
  for (const teamId of teamIds) all.push(...(await eventsOf(teamId)).toReversed());
  return Map.groupBy(all, ({ recipient }) => recipient);
}

/** Returns a team's events, newest first. */
async function eventsOf(teamId: string): Promise<EventRecord[]> {
  const team = await teamFor(bindings, teamId, Date.now());
  const events: EventRecord[] = [];
  const day = { start: NOON, end: Date.now() + HOUR_MS };
  let position: Position | null = positionOf(day, null, 30, Date.now());
  while (position) {
    const page: Listed = await listEvents(bindings, team!, {}, position, 1_000);
    events.push(...page.events);
    position = page.next;
  }
  return events;
}

async function rowsLeft(teamId: string): Promise<number> {
  return runInDurableObject(bindings.TEAM_LEDGER.getByName(teamId), (_, { storage }) =>
    ["ledger WHERE day IS NULL", "streams"]
      .map(
        (table) =>
          storage.sql.exec<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`).one().rows,
      )
      .reduce((sum, rows) => sum + rows),
  );
}

/** Writes the final events of a recipient in the form of a test case's `fate`. */
function fateIn(events: readonly EventRecord[]): string {
  const ends = events
    .filter(({ type }) => TERMINAL.has(type))
    .map(({ type, bounce }) => (bounce ? `${type} ${bounce.type}` : type));
  return ends.join(", then ");
}

function expectInOrder(events: readonly EventRecord[]): void {
  expect(TERMINAL).toContain(events.at(-1)?.type);
  const attempts = events.flatMap(({ type, attempt }) =>
    type === "email.sent" || attempt === null ? [] : [attempt],
  );
  expect(attempts).toEqual(attempts.map((_, index) => index + 1));
}

function expectExpiredInTime({ acceptedAt }: Recipient, { occurredAt }: EventRecord): void {
  const late = occurredAt - acceptedAt - EXPIRY_AFTER_MS;
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThanOrEqual(LONGEST_WAIT_MS + STEP_MS);
}

describe("with a fifth of all wake-ups lost", () => {
  it("every recipient of 40 messages gets one final event in time", async () => {
    for (const level of ["error", "warn", "log"] as const)
      vi.spyOn(console, level).mockImplementation(() => {});
    setClock(NOON);
    const scene = new Scene(SEED);
    for (let team = 0; team < 2; team += 1) await scene.addTeam();
    scene.gateway.down = [NOON + 20 * HOUR_MS, NOON + 22 * HOUR_MS];
    const weather = await RoughWeather.over(scene.teamIds, scene.chance, scene.gateway);
    await scene.send(15);
    await weather.pass(NOON + 7 * HOUR_MS);
    await scene.send(5);
    await weather.pass(Date.now() + EXPIRY_AFTER_MS + 8 * HOUR_MS);

    const events = await eventsByRecipient(scene.teamIds);
    const transactions = Map.groupBy(scene.gateway.transactions, ({ recipient }) => recipient);
    const fates = (found: (one: Recipient) => string): Record<string, string> =>
      Object.fromEntries(scene.recipients.map((one) => [one.address, found(one)]));
    expect(fates(({ address }) => fateIn(events.get(address) ?? []))).toEqual(
      fates(({ fate }) => fate),
    );
    for (const recipient of scene.recipients) {
      const own = events.get(recipient.address) ?? [];
      const end = own.at(-1);
      if (!end) throw new Error("no event");
      expectInOrder(own);
      const taken = transactions.get(recipient.address)?.filter(({ code }) => code === 250) ?? [];
      expect(taken).toHaveLength(recipient.fate === "email.delivered" ? 1 : 0);
      if (end.bounce?.type === "expired") expectExpiredInTime(recipient, end);
    }
    const endsWithReply = scene.recipients
      .filter(({ address }) => address.startsWith("defers"))
      .map(
        ({ address }) =>
          events.get(address)?.at(-1)?.bounce?.smtpResponse ===
          "451 4.7.1 Greylisted, try again later",
      );
    expect(endsWithReply.filter(Boolean).length).toBeGreaterThan(endsWithReply.length / 2);
    expect(await Promise.all(scene.teamIds.map(rowsLeft))).toEqual([0, 0]);
    expect(Object.entries(weather.tally).filter(([, times]) => times === 0)).toEqual([]);
  });
});
