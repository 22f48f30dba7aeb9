// Reads the collection of labelled refusals and decides how the service treats each: its class, and
// whether the address is suppressed.
import { classify } from "../../../src/classify/classify.ts";
import { judge } from "../../../src/mail/deliver/judge.ts";
import { bounceOf, readQuotedReply } from "../../../src/mail/feedback/quoted-reply.ts";
import type { SmtpStage } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";
import { suppressionOf } from "../../../src/mail/record/effects.ts";
import { rowsOf } from "./refusal-tables.ts";

export interface QuotedRefusal {
  readonly class: string;
  /** True: the address itself is refused, permanently. */
  readonly hard: boolean;
  /** The stage of the refusal; null: a report without a stage. */
  readonly stage: SmtpStage | null;
  /** Null: a report that quotes no reply code. */
  readonly code: number | null;
  readonly enhanced: string | null;
  readonly text: string;
}

interface Treatment {
  readonly class: string | null;
  readonly suppressed: boolean;
}

interface Rates {
  readonly refusals: number;
  /** Share of refusals that get exactly their class. */
  readonly exact: number;
  /** Share of refusals not about the address that suppress it nevertheless. */
  readonly wronglySuppressed: number;
  /** Share of hard refusals that suppress nothing. */
  readonly missed: number;
  /** Share of hard refusals after DATA that suppress nothing. */
  readonly missedAfterData: number;
}

export const LABELLED: readonly QuotedRefusal[] = rowsOf("labelled").map(parse);
export const UNSEEN: readonly QuotedRefusal[] = rowsOf("unseen").map(parse);

export function treat({ code, enhanced, text, stage }: QuotedRefusal): Treatment {
  if (stage === null) {
    const bounce = bounceOf({ code, enhanced, text });
    return {
      class: bounce.classification,
      suppressed: suppressionOf(bounce, null, 0) !== null,
    };
  }
  if (code === null) throw new Error(`a reply needs a code: ${text}`);
  const verdict = judge(
    { kind: "reply", code, enhanced, text, stage, mxHost: null, tls: null },
    { nextAttemptAt: null },
  );
  if (verdict.kind !== "bounced") throw new Error(`${code} ${text} did not bounce`);
  return {
    class: classify({ code, enhanced, text, stage }),
    suppressed: suppressionOf(verdict.bounce, verdict.refusedAt, 0) !== null,
  };
}

export function ratesOf(refusals: readonly QuotedRefusal[]): Rates {
  const treated = refusals.map((refusal) => ({ refusal, ...treat(refusal) }));
  const hard = treated.filter(({ refusal }) => refusal.hard);
  const others = treated.filter(({ refusal }) => !refusal.hard);
  const late = hard.filter(({ refusal }) => refusal.stage === "data" || refusal.stage === "end");
  return {
    refusals: refusals.length,
    exact: share(treated, (one) => one.class === one.refusal.class),
    wronglySuppressed: share(others, ({ suppressed }) => suppressed),
    missed: share(hard, ({ suppressed }) => !suppressed),
    missedAfterData: share(late, ({ suppressed }) => !suppressed),
  };
}

function share<Item>(items: readonly Item[], counts: (item: Item) => boolean): number {
  return items.filter(counts).length / items.length;
}

/** Lists the classes that were confused, most often first: a line each, for people to read. */
export function confusionOf(refusals: readonly QuotedRefusal[]): string {
  const counts = new Map<string, number>();
  for (const refusal of refusals) {
    const { class: found, suppressed } = treat(refusal);
    if (found === refusal.class && suppressed === refusal.hard) continue;
    const line = `${refusal.class} as ${found}${suppressed ? ", suppressed" : ""}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([line, count]) => `\n${count} × ${line}`)
    .join("");
}

function parse([expected = "", mark, stage = "", reply = ""]: readonly string[]): QuotedRefusal {
  const isReport = stage === "-";
  return {
    class: expected,
    hard: mark === "hard",
    stage: isReport ? null : (stage as SmtpStage),
    ...(/^\d{3}\b/.test(reply) || !isReport ? splitReply(reply) : readQuotedReply(reply)),
  };
}

function splitReply(reply: string): Pick<QuotedRefusal, "code" | "enhanced" | "text"> {
  const [, code = "", enhanced = null, text = ""] =
    /^(\d{3})(?:[ -]([245]\.\d{1,3}\.\d{1,3}))?(?:[ -](.*))?$/s.exec(reply) ?? [];
  return { code: Number(code), enhanced, text };
}
