// Tests the gateway's log (smtp-gateway/src/gateway-log.ts): every line is JSON, and no line
// contains the local part of an address.
import { afterEach, expect, it, vi } from "vitest";
import { log } from "../../smtp-gateway/src/gateway-log.ts";
import { expectLinear } from "../support/processor-time.ts";
import { captureLog } from "./gateway-harness.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Logs an error and returns its entry. */
function entryWith(fields: Parameters<typeof log>[2]): unknown {
  const entries = captureLog();
  log("error", "session_fault", fields);
  return entries.at(-1);
}

it("an entry has the local parts of addresses masked in every text", () => {
  const error = "Error: for <ada.lovelace@example.net>\n    at b+token@bounces.example.net";
  expect(entryWith({ session: "s1", error, recipients: 2 })).toMatchObject({
    level: "error",
    event: "session_fault",
    session: "s1",
    error: "Error: for <***@example.net>\n    at ***@bounces.example.net",
    recipients: 2,
  });
});

it("an entry is valid JSON whatever characters its texts hold", () => {
  const fields = {
    quoted: 'a "b" \\ c',
    control: "\u0000\n\u007f\u2028",
    wide: "é 李 \ud800",
    empty: "",
    none: null,
    yes: true,
    part: 1.5,
    odd: Number.NaN,
  };
  const before = Date.now();
  const { at, ...rest } = entryWith(fields) as { at: string };
  expect(rest).toEqual({ level: "error", event: "session_fault", ...fields, odd: null });
  expect(new Date(at).toISOString()).toBe(at);
  expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
});

it.each(["x", "@", "x@"])("masking takes linear time on many %s", async (piece) => {
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  await expectLinear(200_000, (size) => {
    const error = piece.repeat(size / piece.length);
    return () => log("error", "session_fault", { error });
  });
});

it("entries that come close together are written together, an error is written at once, and all keep their order", async () => {
  const writes: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => writes.push(String(text)) > 0);
  // The log may also have entries of a gateway from an earlier test file, so only these events
  // count.
  const own = new Set(["first", "second", "third", "fourth"]);
  const events = (): string[][] =>
    writes
      .map((text) =>
        text
          .trimEnd()
          .split("\n")
          .map((line) => (JSON.parse(line) as { event: string }).event)
          .filter((event) => own.has(event)),
      )
      .filter((entries) => entries.length > 0);
  log("info", "first");
  log("warning", "second");
  expect(events()).toEqual([]);
  await expect.poll(events).toEqual([["first", "second"]]);
  log("info", "third");
  log("error", "fourth");
  expect(events()).toEqual([
    ["first", "second"],
    ["third", "fourth"],
  ]);
});
