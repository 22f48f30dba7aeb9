// Tests a gateway on a disk that fills up (docs/egress-protocol.md §A full disk): it starts no
// attempt without room for the outcome, and still answers with the outcomes that it knows.
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { Journal } from "../../../smtp-gateway/src/journal/journal.ts";
import type { EgressOutcome } from "../../../smtp-gateway/src/outcome.ts";
import { clock, HOUR, outcome, SmallDisk } from "./small-disk.ts";
import {
  askFor,
  type GatewayAnswer,
  eventually,
  frame,
  gateway,
  captureLog,
  holdFinalReply,
  post,
  type settings,
  startMx,
  temporaryDirectory,
} from "../gateway-harness.ts";

const KEYS = Array.from(
  { length: 30 },
  (_, at) => `email_01a1fb6c-943e-7e35-b378-f74400936f31/${at}/1`,
);

const NOT_TAKEN = { kind: "not_taken", why: "disk" };

const ask = (port: number, keys: readonly string[]): Promise<GatewayAnswer> =>
  post(
    port,
    keys.map((key) => frame({ key, message: `Subject: ${key}\r\n\r\nx\r\n` })),
  );

const gatewayOn = (disk: SmallDisk, mxPort: number, over: Parameters<typeof settings>[1] = {}) =>
  gateway(mxPort, over, undefined, disk);

describe("a disk with little room", () => {
  it.each([0, 1, 200, 3_100, 3_300, 6_000, 8_000, 20_000, 300_000])(
    "of %i bytes lets every message go out exactly once, across restarts",
    async (left) => {
      captureLog();
      const mx = await startMx();
      const stateDirectory = temporaryDirectory();
      const disk = new SmallDisk(left);
      const start = async () => (await gatewayOn(disk, mx.port, { stateDirectory })).port;
      const known = new Map<string, object>();
      const askAll = async (port: number): Promise<void> => {
        const { lines } = await ask(port, KEYS);
        expect(lines.map(({ key }) => key).toSorted()).toEqual(KEYS.toSorted());
        for (const line of lines)
          if (line.kind === "reply") known.set(line.key, line);
          else expect(line).toEqual({ key: line.key, ...NOT_TAKEN });
        // The gateway gives the same outcome again when asked, even on a full disk.
        const again = await ask(port, [...known.keys()]);
        expect(again.lines.toSorted(byKey)).toEqual([...known.values()].toSorted(byKey as never));
        expect(mx.messages).toHaveLength(known.size);
      };
      const port = await start();
      for (let round = 0; round < 3; round += 1) await askAll(port);
      // A second gateway opens the journal. The first one neither drained nor closed it, as if it
      // had been killed.
      await askAll(await start());
      disk.left = 10_000_000;
      const roomy = await start();
      for (let round = 0; round < 2; round += 1) await askAll(roomy);
      expect(known.size).toBe(KEYS.length);
    },
  );

  it("has room again after each message that no server accepted", async () => {
    const mx = await startMx({ rcpt: "550 5.1.1 unknown" });
    const { port } = await gatewayOn(new SmallDisk(3_200), mx.port);
    for (const key of KEYS)
      expect((await ask(port, [key])).lines).toMatchObject([{ key, code: 550 }]);
  });

  it("lets a request join the attempt under way without room for a second outcome", async () => {
    const { script, release } = holdFinalReply();
    const mx = await startMx(script);
    captureLog();
    const { port } = await gatewayOn(new SmallDisk(3_200), mx.port);
    const [first, other] = [ask(port, KEYS.slice(0, 1)), KEYS.slice(1, 2)];
    await eventually(() => mx.messages.length === 1);
    const joined = ask(port, [...KEYS.slice(0, 1), ...other]);
    expect((await ask(port, other)).lines).toEqual([{ key: other[0], ...NOT_TAKEN }]);
    release("250 2.0.0 taken");
    const [line] = (await first).lines;
    expect((await joined).lines).toEqual([{ key: other[0], ...NOT_TAKEN }, line]);
  });

  it("reserves nothing for messages that wait for a connection", async () => {
    const { script, release } = holdFinalReply();
    const mx = await startMx(script);
    // The disk has room for three outcomes at once.
    const { port } = await gatewayOn(new SmallDisk(10_000), mx.port, { connectionsPerHost: 1 });
    const answer = ask(port, KEYS.slice(0, 15));
    const ending = setInterval(() => release("250 ok"), 5);
    const { lines } = await answer;
    clearInterval(ending);
    expect(lines.map((line) => line.kind === "reply" && line.code)).toEqual(
      Array.from({ length: 15 }, () => 250),
    );
  });

  it("gives a message back if the disk has no room when the transaction begins", async () => {
    const { script, release } = holdFinalReply();
    const mx = await startMx(script);
    captureLog();
    const { port } = await gatewayOn(new SmallDisk(3_200), mx.port);
    // The gateway takes both messages before either transaction begins, because opening a
    // connection takes time.
    const answer = ask(port, KEYS.slice(0, 2));
    await eventually(() => mx.messages.length === 1);
    release("250 2.0.0 taken");
    const { lines } = await answer;
    expect(lines).toMatchObject([NOT_TAKEN, { code: 250 }]);
    expect(mx.lines.filter((line) => line.startsWith("MAIL"))).toHaveLength(1);
    expect(await askFor(port, [lines[0]!.key])).toMatchObject([{ kind: "never_heard" }]);
  });
});

function byKey(
  { key: left }: { readonly key: string },
  { key: right }: { readonly key: string },
): number {
  return left.localeCompare(right);
}

describe("a full disk", () => {
  it("keeps the old file in use when the hour ends, and keeps late entries in it for 24 hours", () => {
    captureLog();
    const directory = "/journal";
    const disk = new SmallDisk(10_000);
    const time = clock();
    const journal = new Journal(directory, time, disk);
    const slots = ["a", "b"].map((key) => journal.reserve(key)!);
    disk.left = 0;
    time.ms += 5 * HOUR;
    expect(slots.map((slot) => slot.record(outcome("late"), 0))).toEqual([true, true]);
    expect(disk.list(directory)).toEqual(["outcomes-500000.ndjson"]);
    disk.left = 1_000_000;
    time.ms += 2_000;
    expect(journal.probe()).toBe(true);
    expect(disk.list(directory)).toEqual(["outcomes-500000.ndjson", "outcomes-500005.ndjson"]);
    time.ms += 23 * HOUR;
    expect(journal.find("a")?.outcome).toEqual(outcome("late"));
    time.ms += 2 * HOUR;
    expect(journal.find("a")).toBeUndefined();
    journal.close();
  });
});

describe("the journal on a disk that fails", () => {
  /**
   * Records two outcomes at a time over three hours of the journal's clock. Returns the outcomes'
   * keys.
   */
  function recordThreeHours(disk: SmallDisk): string[] {
    const time = clock();
    const journal = new Journal("/journal", time, disk);
    const recorded: string[] = [];
    const lost: string[] = [];
    for (let at = 0; at < 24; at += 1) {
      time.ms += HOUR / 8;
      const slots = [`${at} a`, `${at} b`].map((key) => ({ key, slot: journal.reserve(key) }));
      for (const { key, slot } of slots)
        if (slot?.record(outcome(key), 0) === true) recorded.push(key);
      const asked = [...recorded.slice(0, 1), ...recorded.slice(-2)];
      lost.push(...asked.filter((key) => !isKnown(journal, key)));
    }
    expect(lost).toEqual([]);
    return recorded;
  }

  /** Tells whether the journal finds the outcome of the key. */
  const isKnown = (journal: Journal, key: string): boolean =>
    isDeepStrictEqual(journal.find(key)?.outcome, outcome(key));

  /** Expects that the next process finds the outcomes, when the disk works and has room. */
  function expectKnown(disk: SmallDisk, keys: readonly string[]): void {
    const journal = new Journal("/journal", undefined, new SmallDisk(10_000_000, disk));
    expect(keys.filter((key) => !isKnown(journal, key))).toEqual([]);
    journal.close();
  }

  it("with EIO from any call on does not throw, and finds every outcome that it recorded", () => {
    captureLog();
    const healthy = new SmallDisk(10_000_000);
    expect(recordThreeHours(healthy)).toHaveLength(48);
    expect(healthy.calls).toBeGreaterThan(50);
    for (let call = 2; call <= healthy.calls; call += 1) {
      const disk = new SmallDisk(10_000_000);
      disk.breaksAt = call;
      expectKnown(disk, recordThreeHours(disk));
    }
  });

  it("because it is full at any point still records every outcome with reserved room", () => {
    captureLog();
    for (let left = 0; left < 600_000; left += 7_919) {
      const disk = new SmallDisk(left);
      const granted = recordThreeHours(disk);
      expectKnown(disk, granted);
      if (left > 20_000) expect(granted).toHaveLength(48);
    }
  });

  it("has reserved enough room for the longest outcome", () => {
    const longest: EgressOutcome = {
      kind: "reply",
      code: 250,
      enhanced: "2.100.100",
      text: '"'.repeat(1024),
      stage: "starttls",
      mx_host: "m".repeat(255),
      tls: "TLSv1.3",
    };
    const key = "\u0001".repeat(256);
    const disk = new SmallDisk(1_000_000);
    const journal = new Journal("/journal", undefined, disk);
    const slots = Array.from({ length: 20 }, () => journal.reserve(key)!);
    disk.left = 0;
    for (const slot of slots) expect(slot.record(longest, 3_600_000)).toBe(true);
    journal.close();
  });
});
