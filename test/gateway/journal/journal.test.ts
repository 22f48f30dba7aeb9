// Tests the journal on disk: it keeps outcomes for 24 hours, in one file for each hour, and
// survives crashes and full disks.
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Journal } from "../../../smtp-gateway/src/journal/journal.ts";
import { hashOf, KeyPositions } from "../../../smtp-gateway/src/journal/key-positions.ts";
import type { EgressOutcome } from "../../../smtp-gateway/src/outcome.ts";
import { captureLog, temporaryDirectory } from "../gateway-harness.ts";
import { clock, HOUR, outcome } from "./small-disk.ts";

function append(journal: Journal, key: string, recorded: EgressOutcome): boolean {
  return journal.reserve(key)?.record(recorded, 7) ?? false;
}

describe("the journal", () => {
  it("finds exactly the recorded outcomes, also after it is opened again", () => {
    const directory = temporaryDirectory();
    const journal = new Journal(directory);
    for (let at = 0; at < 3000; at++) append(journal, `key "${at}" é`, outcome(`line\\${at}`));
    const check = (opened: Journal): void => {
      for (const at of [0, 1, 1234, 2999])
        expect(opened.find(`key "${at}" é`)?.outcome).toEqual(outcome(`line\\${at}`));
      expect(opened.find("key 0")).toBeUndefined();
      opened.close();
    };
    check(journal);
    check(new Journal(directory));
  });

  it("drops a file when its newest entry is older than 24 hours", () => {
    const directory = temporaryDirectory();
    const time = clock();
    const journal = new Journal(directory, time);
    append(journal, "old", outcome("old"));
    time.ms += 24 * HOUR;
    append(journal, "new", outcome("new"));
    expect(journal.find("old")?.outcome).toEqual(outcome("old"));
    time.ms += HOUR;
    expect(journal.find("old")).toBeUndefined();
    expect(journal.find("new")?.outcome).toEqual(outcome("new"));
    expect(readdirSync(directory).sort()).toEqual([
      "outcomes-500024.ndjson",
      "outcomes-500025.ndjson",
    ]);
    journal.close();
  });

  it.each(["half a line", "many lines and half of one"])(
    "finds whole entries after a crash left %s",
    (kind) => {
      const directory = temporaryDirectory();
      const time = clock();
      const first = new Journal(directory, time);
      if (kind !== "half a line")
        for (let at = 0; at < 10; at++) append(first, `k${at}`, outcome("whole"));
      append(first, "torn", outcome("torn"));
      first.close();
      const path = join(directory, "outcomes-500000.ndjson");
      truncateSync(path, readFileSync(path).length - 20);
      const second = new Journal(directory, time);
      expect(second.find("torn")).toBeUndefined();
      append(second, "after", outcome("after"));
      second.close();
      const third = new Journal(directory, time);
      expect(third.find("after")?.outcome).toEqual(outcome("after"));
      expect(third.find("torn")).toBeUndefined();
      if (kind !== "half a line") expect(third.find("k9")?.outcome).toEqual(outcome("whole"));
      third.close();
    },
  );

  it("skips lines that are not outcomes, and files that are not its own", () => {
    const directory = temporaryDirectory();
    writeFileSync(
      join(directory, "outcomes-500000.ndjson"),
      '\n{"key":1}\nnull\n{"key":"k","outcome":{"kind":"other"}}\n',
    );
    writeFileSync(join(directory, "notes.txt"), "hello");
    const time = clock();
    const journal = new Journal(directory, time);
    expect(journal.find("k")).toBeUndefined();
    append(journal, "k", outcome("k"));
    expect(journal.find("k")?.outcome).toEqual(outcome("k"));
    journal.close();
    expect(readdirSync(directory)).toContain("notes.txt");
  });

  it("finds an outcome after a megabyte of others when it is opened again", () => {
    const directory = temporaryDirectory();
    const time = clock();
    const path = join(directory, "outcomes-500000.ndjson");
    for (let at = 0; at < 20; at++) {
      appendFileSync(
        path,
        Array.from(
          { length: 500 },
          (_, line) =>
            `${JSON.stringify({ key: `k${at}-${line}`, outcome: outcome("x".repeat(100)), at: 0 })}\n`,
        ).join(""),
      );
    }
    const journal = new Journal(directory, time);
    for (const key of ["k0-0", "k10-250", "k19-499"])
      expect(journal.find(key)?.outcome).toEqual(outcome("x".repeat(100)));
    journal.close();
  });

  it("refuses entries on a full disk, logs this once, and recovers when there is room", () => {
    const directory = temporaryDirectory();
    const time = clock();
    symlinkSync("/dev/full", join(directory, "outcomes-500000.ndjson"));
    const journal = new Journal(directory, time);
    const entries = captureLog();
    expect([append(journal, "lost", outcome("lost")), journal.probe(), journal.probe()]).toEqual([
      false,
      false,
      false,
    ]);
    expect(entries).toMatchObject([
      { level: "error", event: "journal_write_failed", code: "ENOSPC" },
    ]);
    time.ms += HOUR;
    expect(journal.probe()).toBe(true);
    expect(append(journal, "kept", outcome("kept"))).toBe(true);
    expect(journal.find("kept")?.outcome).toEqual(outcome("kept"));
    expect(journal.find("lost")).toBeUndefined();
    journal.close();
  });
});

describe("the journal's own time", () => {
  it("continues from the newest entry, so that a wrong wall clock drops no entry", () => {
    const directory = temporaryDirectory();
    for (const wall of [500_000, 500_024, 500_100, 400_000, 0]) {
      const journal = new Journal(directory, { wall: () => wall * HOUR, uptime: () => 7 });
      expect(journal.find(`from ${wall}`)).toBeUndefined();
      append(journal, `from ${wall}`, outcome("kept"));
      expect(journal.find("from 500000")?.outcome).toEqual(outcome("kept"));
      journal.close();
    }
    expect(readdirSync(directory)).toEqual(["outcomes-500000.ndjson"]);
  });

  it("gives an outcome's time by the present process's clock, and counts only time in which a process ran", () => {
    const directory = temporaryDirectory();
    const time = clock();
    const first = new Journal(directory, time);
    first.reserve("k")!.record(outcome("k"), 400);
    const repliedAt = time.ms;
    time.ms += 1_000;
    const found = { outcome: outcome("k"), takenAt: repliedAt - 400, repliedAt };
    expect(first.find("k")).toEqual(found);
    first.close();
    const second = new Journal(directory, { ...time, uptime: () => 7 });
    expect(second.find("k")).toEqual({ ...found, takenAt: -393, repliedAt: 7 });
    second.close();
  });

  it("does not follow a wall clock that jumps while the process runs", () => {
    const directory = temporaryDirectory();
    const time = { hours: 500_000, wall: () => time.hours * HOUR, uptime: () => 7 };
    const journal = new Journal(directory, time);
    append(journal, "before", outcome("before"));
    for (const hours of [500_024, 500_048, 499_976, 0, 500_000]) {
      time.hours = hours;
      append(journal, `at ${hours}`, outcome("kept"));
      expect(journal.find("before")?.outcome).toEqual(outcome("before"));
      expect(journal.find(`at ${hours}`)?.outcome).toEqual(outcome("kept"));
    }
    journal.close();
  });

  it("counts the time that earlier processes ran", () => {
    const directory = temporaryDirectory();
    const wall = (): number => 500_000 * HOUR;
    append(new Journal(directory, { wall, uptime: () => 0 }), "old", outcome("old"));
    for (let start = 0; start < 51; start += 1) {
      const time = { wall, ms: 0, uptime: () => time.ms };
      const journal = new Journal(directory, time);
      time.ms += HOUR / 2;
      append(journal, `start ${start}`, outcome("kept"));
      journal.close();
    }
    const journal = new Journal(directory, { wall, uptime: () => 0 });
    expect([journal.find("old"), journal.find("start 0")]).toEqual([undefined, undefined]);
    expect(journal.find("start 10")?.outcome).toEqual(outcome("kept"));
    journal.close();
  });
});

describe("the journal's index", () => {
  it("finds every position by its key among 20,000", () => {
    const index = new KeyPositions();
    const find = (key: string): number[] => index.positions(hashOf(key)).sort((a, b) => a - b);
    for (let at = 0; at < 20_000; at++) index.add(hashOf(`key-${at}`), at * 100);
    index.add(hashOf("key-7"), 7);
    for (let fitted = 0; fitted < 2; fitted++) {
      const lost = [];
      for (let at = 0; at < 20_000; at++) if (!find(`key-${at}`).includes(at * 100)) lost.push(at);
      expect(lost).toEqual([]);
      expect(find("key-7")).toEqual([7, 700]);
      expect(find("other")).toEqual([]);
      index.trim();
    }
  });

  it("finds positions beyond four gigabytes", () => {
    const index = new KeyPositions();
    const places = [5, 2 ** 32 - 1, 2 ** 32, 3 * 2 ** 32 + 5];
    for (const place of places) index.add(hashOf("k"), place);
    expect([index.positions(hashOf("k")), index.count]).toEqual([places, 4]);
  });

  it("takes at most fourteen bytes for each entry, and nine after trim()", () => {
    const index = new KeyPositions();
    for (let at = 1; at <= 100_000; at++) {
      index.add(hashOf(`key-${at}`), at);
      if (at >= 10_000 && at % 1_000 === 0) expect(index.bytes / at).toBeLessThan(14);
    }
    index.trim();
    expect(index.bytes / index.count).toBeLessThan(9);
  });
});
