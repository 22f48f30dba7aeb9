// Tests the model of a large deployment (tools/bench/scale): its arithmetic agrees with a
// calculation by hand and uses the current figures.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EGRESS_SETTINGS } from "../../smtp-gateway/src/gateway-setting-table.ts";
import { SETTINGS } from "../../src/operator/setting-table.ts";
import { renderResult } from "../../tools/bench/harness/bench-result.ts";
import { scaleResult, sendDelay } from "../../tools/bench/benches/scale-bench.ts";
import { ASSUMED, MEASURED, PLATFORM, SHARDS } from "../../tools/bench/scale/platform-limits.ts";
import {
  largestTeamPerDay,
  minuteShares,
  storedChunkBytes,
  peakPerSecond,
  type Resource,
  RESOURCES,
  saturatesAt,
  simulateDay,
  storedSuppressionBytes,
  expectedTeams,
  zipfShares,
} from "../../tools/bench/scale/model.ts";

const ROOT = join(import.meta.dirname, "../..");

const LOAD = { teams: 10_000, messagesPerDay: 100_000_000, exponent: 1 };
/**
 * A load of only a few teams, for rules that hold for any number of teams: with more teams, the
 * calculation takes longer.
 */
const FEW = { ...LOAD, teams: 300 };
const sum = (values: Float64Array) => values.reduce((total, one) => total + one, 0);
type Needs = Readonly<Record<string, number>>;
const needsOf = (load: typeof LOAD): Needs =>
  Object.fromEntries(simulateDay(load).map(({ resource, needed }) => [resource.name, needed]));
const NEEDS = needsOf(LOAD);

describe("the load", () => {
  it("is divided by Zipf's law", () => {
    const shares = zipfShares(10_000, 1);
    expect(sum(shares)).toBeCloseTo(1, 9);
    // The largest share of 10,000 by Zipf's law is about 1 / (ln 10,000 + 0.5772…).
    expect(shares[0]).toBeCloseTo(0.10217, 5);
    expect((shares[0] ?? 0) / (shares[9] ?? 1)).toBeCloseTo(10, 9);
    expect(Array.from(zipfShares(4, 0))).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  it("follows the rhythm of a day and its hours", () => {
    const minutes = minuteShares();
    expect(minutes).toHaveLength(1_440);
    expect(sum(minutes)).toBeCloseTo(1, 9);
    expect(minutes.indexOf(Math.max(...minutes))).toBe(16 * 60);
    // 100 million messages a day are 1,157 a second on average. The load is 5/3 of the average in
    // the afternoon, and doubles at the beginning of an hour. The division by 13/12, the mean over
    // an hour, keeps the sum the same.
    expect(peakPerSecond(100_000_000)).toBeCloseTo((1_157.407 * (5 / 3) * 2) / (13 / 12), 0);
  });

  it("has queue batches of many teams if all teams send the same, and of one team if there is only one", () => {
    expect(expectedTeams(zipfShares(1, 1), 50)).toBe(1);
    expect(expectedTeams(zipfShares(1_000_000, 0), 50)).toBeCloseTo(50, 1);
    expect(expectedTeams(zipfShares(10_000, 1), 50)).toBeCloseTo(40.4, 1);
  });
});

describe("a resource's demand", () => {
  it("agrees with a calculation by hand", () => {
    const peak = peakPerSecond(LOAD.messagesPerDay);
    // The service asks about 561 keys a second. Of the teams, the 57 largest have more than one
    // such key a second, and a team's keys share one queue message, so each of these teams sends
    // one message a second. A smaller team sends one message for each key.
    const asks = 57 + 561 * (1 - 0.10217 * (Math.log(57) + 0.5772 + 1 / 114));
    expect(NEEDS["queue postern-deliver, messages"]).toBeCloseTo(peak * 1.05 + asks, -1);
    // A consumer needs ten milliseconds for each of these queue messages.
    expect(NEEDS["queue postern-deliver, consumers"]).toBeCloseTo((peak * 1.05 + asks) / 100, 0);
    expect(NEEDS["gateway, connections"]).toBeCloseTo(3_739, 0);
    expect(NEEDS["largest team's ledger, commits"]).toBeCloseTo(peak * 0.10217, 1);
    // The bytes of each message are kept for 35 days. One message in a hundred adds a suppression
    // of 400 bytes for 90 days.
    const [pages, suppressions] = [MEASURED.messageBytes * 35 * 0.1, 0.01 * 400 * 90 * 0.1];
    expect(storedChunkBytes()).toBe(MEASURED.messageBytes * 35);
    expect(storedSuppressionBytes()).toBe(360);
    expect(NEEDS["shards, size"]).toBeCloseTo(pages + suppressions, 6);
    expect(NEEDS["largest team's chunks"]).toBeCloseTo(pages * 0.10217, 1);
    expect(NEEDS["largest team's suppressions"]).toBeCloseTo(suppressions * 0.10217, 3);
    // Calls to the ledger of the largest team: one for each message when it is accepted, and 0.35
    // later. The service sends 75 batches of 50 copies a second. Nearly every batch has copies of
    // this team, which costs three calls. Two more calls ask about the outcomes of copies.
    expect(NEEDS["largest team's ledger, calls"]).toBeCloseTo(
      peak * 0.10217 * 1.35 + ((peak * 1.05) / 50) * (1 - (1 - 0.10217) ** 50) * 3 + 2,
      0,
    );
    // A message has 2.35 events, a chunk holds 64 events, and writing a chunk takes 2 ms. A batch
    // has messages of 40.4 teams on average, and each team costs one suppression query of 1 ms.
    expect(NEEDS["shards, SQL"]).toBeCloseTo(
      ((peak * 2.35) / 64) * MEASURED.pageMilliseconds + ((peak * 1.05) / 50) * 40.4,
      -1,
    );
    // Nearly every team is active each minute: its ledger reads once, and half of the outboxes
    // twice. Each key is noted once in ten minutes.
    const primary = 10_000 / 60 + (10_000 / 60 / 2) * 2 + 10_000 / 600 + 100 / 60;
    expect(NEEDS["core database"]).toBeCloseTo(primary, -1);
    // A replica has half of the isolates' reads. The largest teams read their three templates once
    // a minute in each of a hundred isolates.
    const alone = NEEDS["core database without replicas, 100 isolates"]!;
    const replica = NEEDS["core database, its busiest replica, 100 isolates"]!;
    expect(alone - NEEDS["core database"]!).toBeCloseTo(replica * 2, 6);
    expect(replica * 2).toBeGreaterThan(100 * 5);
    // Two core databases divide the teams. The busier one has the largest team, and half of all.
    const busier = NEEDS["busier of two core databases without replicas, 100 isolates"]!;
    expect(busier / alone).toBeGreaterThan(0.5);
    expect(busier / alone).toBeCloseTo(0.5, 2);
    expect(NEEDS["sweep over the ledgers"]).toBe(2.5);
    expect(NEEDS["DNS records of the service's zone"]).toBe(20_020);
  });

  it("grows with the messages, unless it depends on the teams alone", () => {
    const less = needsOf({ ...FEW, messagesPerDay: FEW.messagesPerDay / 10 });
    const all = Object.entries(needsOf(FEW));
    const same = all.filter(([name, needed]) => !((less[name] ?? 0) < needed));
    expect(same.map(([name, needed]) => [name, Number(needed.toPrecision(6))])).toEqual([
      ["DNS records of the service's zone", 620],
      // All teams are active each minute, which their number limits.
      ["core database", 12.1667],
      ["sweep over the ledgers", 0.075],
    ]);
  });

  it("limits one team to the space of its shards, until its suppressions fill the first shard", () => {
    expect(largestTeamPerDay(1)).toBeCloseTo(1e10 / (MEASURED.messageBytes * 35 + 360), 0);
    expect(largestTeamPerDay(8)).toBeCloseTo(1e10 / ((MEASURED.messageBytes * 35) / 8 + 360), 0);
    expect(largestTeamPerDay(1e9) / 1e6).toBeCloseTo(27.8, 1);
  });

  it("saturates when the last unit of a resource is used up", () => {
    const of = (name: string) => RESOURCES.find((one) => one.name === name) as Resource;
    const replica = "core database, its busiest replica, 100 isolates";
    const names = ["queue postern-deliver, messages", replica, "shards, size"];
    for (const name of [...names, "largest team's chunks"]) {
      const { limit, available } = of(name);
      const needs = needsOf({ ...FEW, messagesPerDay: saturatesAt(FEW, of(name)) });
      expect((needs[name] ?? 0) / ((limit ?? 0) * available), name).toBeCloseTo(1, 1);
    }
    expect(saturatesAt(FEW, of("gateway, connections"))).toBe(Number.POSITIVE_INFINITY);
    expect(saturatesAt(FEW, of("R2, content over 1 MB"))).toBe(Number.POSITIVE_INFINITY);
    const sweep = saturatesAt({ ...LOAD, teams: 100_000 }, of("sweep over the ledgers"));
    expect(sweep).toBe(Number.POSITIVE_INFINITY);
  });
});

it("a send waits for a database replica or the primary and for its ledger, and longer across an ocean", () => {
  const near = { caller: "apac", database: "weur", ledger: "apac" } as const;
  const far = { ...near, ledger: "enam" } as const;
  expect(sendDelay(near, "key known")).toEqual([10, 30]);
  expect(sendDelay(near, "key new")).toEqual([20 + 10, 50 + 30]);
  expect(sendDelay(near, "isolate new")).toEqual([2 * 170 + 10, 2 * 200 + 30]);
  expect(sendDelay(far, "isolate new")).toEqual([2 * 170 + 160, 2 * 200 + 180]);
  expect(sendDelay({ ...near, caller: "weur", ledger: "weur" }, "isolate new")).toEqual([50, 130]);
});

describe("docs/scaling.md", () => {
  it("shows the table as the bench prints it", () => {
    const page = readFileSync(join(ROOT, "docs/scaling.md"), "utf8");
    const lines = renderResult(scaleResult()).split("\n");
    const table = lines.filter((line) => line.startsWith("|"));
    expect(page).toContain(table.join("\n"));
  });
});

describe("the model's figures", () => {
  const text = (file: string) => readFileSync(join(ROOT, file), "utf8");
  const constant = (file: string, name: string) => {
    const [, figure = ""] = new RegExp(`${name} = ([\\d_]+)`).exec(text(file)) ?? [];
    return Number(figure.replaceAll("_", ""));
  };

  it("are those of the code", () => {
    expect(MEASURED.ledgersPerSweep).toBe(constant("src/sweep.ts", "LEDGERS_PER_TICK"));
    expect(SHARDS - 1).toBe(constant("tools/shards/wrangler-toml.ts", "HIGHEST_SHARD"));
    const connections = EGRESS_SETTINGS.EGRESS_CONNECTIONS.standard;
    expect(MEASURED.gatewayConnections).toBe(Number(connections));
    expect(MEASURED.flushSeconds).toBe(Number(SETTINGS.METRICS_FLUSH_SECONDS.standard));
    const selectors = /SELECTORS = \[([^\]]*)\]/.exec(
      text("src/resources/domains/record-names.ts"),
    );
    expect(selectors?.[1]?.split(",")).toHaveLength(MEASURED.recordsPerDomain);
    const days = constant("src/resources/events/day-retention.ts", "CHUNK_DAYS");
    expect(MEASURED.chunkDays).toBe(days);
    const noted = constant("src/resources/api-keys/credentials.ts", "KEY_USE_NOTED_EVERY_MS");
    expect(MEASURED.keyUseSeconds).toBe(noted * 60);
    expect(MEASURED.chunkEvents).toBe(constant("src/ledger/log/chunk-plans.ts", "CHUNK_WORTH"));
    expect(text("wrangler.toml")).toContain("max_batch_size = 100");
    const round = constant("src/ledger/release/pacing.ts", "ROUND_MS");
    expect(MEASURED.askRoundSeconds * 1_000).toBe(round);
    expect(constant("src/mail/deliver/couriers/gateway-courier.ts", "STAY_SECONDS")).toBe(3);
    expect(ASSUMED.batchMessages).toBeLessThanOrEqual(100);
    expect(PLATFORM.databaseGigabytes).toBe(10);
  });
});
