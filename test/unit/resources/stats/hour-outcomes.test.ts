// Tests src/resources/stats/hour-outcomes.ts: what the row of an hour stores about a provider's
// replies, and that its size is limited.
import { describe, expect, it } from "vitest";
import { BOUNCE_CLASSIFICATIONS, EVENT_TYPES } from "../../../../src/rpc/event-types.ts";
import { PROVIDERS } from "../../../../src/resources/providers/provider-of.ts";
import type { CountedEvent } from "../../../../src/resources/stats/hour-counts.ts";
import { NOON } from "../events/sample-events.ts";
import { aCounted, writtenHour } from "./sample-counts.ts";

const refused = (smtpResponse: string, at = NOON, classification: string | null = "SpamBlock") =>
  aCounted({
    type: "email.bounced",
    provider: "microsoft",
    occurredAt: at,
    bounce: { type: "permanent", classification, smtpCode: 550, smtpResponse },
  });
const taken = (seconds: number) =>
  aCounted({ provider: "google", occurredAt: NOON + seconds * 1_000, startedAt: NOON });

const written = (...pages: readonly (readonly CountedEvent[])[]) => writtenHour(pages);

describe("a provider's hour", () => {
  it("has the time to acceptance as steps of a scale, and the last acceptance", () => {
    const seconds = [0.2, 0.9, 1, 1.001, 4, 59, 61, 3_600, 80_000, 400_000];
    const hour = written(seconds.slice(0, 5).map(taken), seconds.slice(5).map(taken));
    const { times, lastAccepted } = hour.outcomes.get("google")!;
    expect([0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map((part) => times.within(part))).toEqual([
      1, 1, 2, 5, 60, 300, 3_600, 259_200, 259_200,
    ]);
    expect(lastAccepted).toBe(Math.max(...seconds.map((one) => (one * 1_000) % 3_600_000)));
    expect(hour.outcomes.get("microsoft")).toBeUndefined();
  });

  it("has neither a time to acceptance nor a last acceptance if no mail was accepted", () => {
    const { times, lastAccepted } = written([refused("550 no")]).outcomes.get("microsoft")!;
    expect([times.within(0.5), lastAccepted]).toEqual([null, -1]);
  });

  it("counts refusals of one text together, with the earliest moment of all chunks", () => {
    const hour = written(
      [refused("550 no [192.0.2.1]", NOON + 9_000), refused("550 no [192.0.2.2]", NOON + 8_000)],
      [refused("550 no [192.0.2.3]", NOON + 7_000), refused("550 no", NOON, null)],
      [aCounted({ type: "email.delayed", provider: "microsoft", exchange: reply("451 later") })],
    );
    const counts = (total: number, first: number) => ({
      total,
      first,
      late: total,
      lateFirst: first,
    });
    expect(hour.outcomes.get("microsoft")!.refusals).toEqual([
      { className: "SpamBlock", text: "550 no […]", ...counts(3, 7_000) },
      { className: "none", text: "550 no", ...counts(1, 0) },
      { className: "deferred", text: "451 later", ...counts(1, 0) },
    ]);
  });

  it.each([
    ["in one chunk", [[1, "taken", 3, 4]], { total: 3, first: 1, late: 2, lateFirst: 3 }],
    ["in several chunks", [[1], ["taken", 3], [4]], { total: 3, first: 1, late: 2, lateFirst: 3 }],
    ["late", [[1, 3, "taken"], [4]], { total: 3, first: 1, late: 1, lateFirst: 4 }],
    ["last", [[0, 1], ["taken"]], { total: 2, first: 0, late: 0, lateFirst: -1 }],
  ] as const)(
    "counts refusals since the last acceptance, which comes after two seconds, %s",
    (_, pages, counts) => {
      const event = (second: number | "taken"): CountedEvent =>
        second === "taken"
          ? { ...taken(2), provider: "microsoft" }
          : refused("550 no", NOON + second * 1_000);
      const hour = written(...pages.map((page) => page.map(event)));
      const seconds = (ms: number): number => (ms < 0 ? ms : ms / 1_000);
      const [found] = hour.outcomes.get("microsoft")!.refusals;
      const { total, first, late, lateFirst } = found!;
      expect({ total, first: seconds(first), late, lateFirst: seconds(lateFirst) }).toEqual(counts);
    },
  );

  it("keeps five texts of refusals, among them each text with more than a sixth of all refusals", () => {
    const rare = (page: number) =>
      Array.from({ length: 20 }, (_, index) => refused(`550 reason ${page} ${"x".repeat(index)}`));
    const pages = Array.from({ length: 10 }, (_, page) => [
      ...rare(page),
      ...Array.from({ length: 8 }, () => refused("550 often")),
    ]);
    const found = written(...pages).outcomes.get("microsoft")!.refusals;
    expect(found).toHaveLength(5);
    const often = found.find(({ text }) => text === "550 often")!;
    expect(often.total).toBeGreaterThan(80 - 280 / 6);
    expect(often.total).toBeLessThanOrEqual(80);
  });

  it("keeps its row below 120 KB, whatever was sent", () => {
    const providers = PROVIDERS.filter((name) => name !== "simulator");
    const events = [...providers, null].flatMap((provider, place) => [
      ...BOUNCE_CLASSIFICATIONS.map((classification, index) =>
        refused(`550 ${index} ${"ü".repeat(300)}`, NOON + index, classification),
      ).flatMap((event) => [
        { ...event, provider },
        { ...event, provider, occurredAt: NOON + 3_599_998 },
      ]),
      ...EVENT_TYPES.map((type) =>
        aCounted({ type, provider, recipient: `a@${"d".repeat(50)}${place}.example` }),
      ),
      ...[0, 2, 5, 10, 30, 60, 300, 900, 3_600, 9_999, 43_000, 99_999].map((seconds) => ({
        ...taken(seconds),
        provider,
      })),
    ]);
    const domains = Array.from({ length: 100 }, (_, index) =>
      BOUNCE_CLASSIFICATIONS.map((classification) => ({
        ...refused("550 no", NOON, classification),
        recipient: `a@${"x".repeat(60)}.${"y".repeat(60)}${index}.example`,
      })),
    ).flat();
    const text = written(events, domains).toText();
    expect(new TextEncoder().encode(text).length).toBeLessThan(120_000);
  });
});

function reply(response: string): CountedEvent["exchange"] {
  return { stage: "rcpt", response, mxHost: "mx.example", tls: null, rule: null };
}
