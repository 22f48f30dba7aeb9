// Reads the collection of labelled refusals and decides how the service treats each: its class, the
// type of its bounce, and whether the address is suppressed.
import { classify } from "../../../src/classify/classify.ts";
import { judge } from "../../../src/mail/deliver/judge.ts";
import {
  bounceOf,
  type QuotedReply,
  readQuotedReply,
} from "../../../src/mail/feedback/quoted-reply.ts";
import type { SmtpStage } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";
import { suppressionOf } from "../../../src/mail/record/effects.ts";
import { rowsOf } from "./refusal-tables.ts";

export interface QuotedRefusal {
  readonly class: string;
  /** True: the server permanently refuses mail to this address. */
  readonly hard: boolean;
  /** The SMTP stage of the refusal. Null: a bounce report that names no stage. */
  readonly stage: SmtpStage | null;
  readonly reply: string;
}

export interface Treatment {
  readonly class: string | null;
  /**
   * The type of the bounce. After a temporary refusal, the type is that of the bounce at the end of
   * the 72 hours.
   */
  readonly type: string | null;
  readonly suppress: boolean;
}

interface Rates {
  readonly refusals: number;
  /** Share of refusals to which the service gives exactly the labelled class. */
  readonly exact: number;
  /** Share of refusals that are not hard, after which the address is suppressed nevertheless. */
  readonly wronglySuppressed: number;
  /** Share of permanent refusals of the address after which the address is not suppressed. */
  readonly missed: number;
  /** Share of hard refusals after DATA that suppress nothing. */
  readonly missedAfterData: number;
}

export const LABELLED: readonly QuotedRefusal[] = rowsOf("labelled").map(parse);
export const UNSEEN: readonly QuotedRefusal[] = rowsOf("unseen").map(parse);

/**
 * Treats a refusal as the service does. `stage` is null for a report, because reports name no
 * stage.
 */
export function treat(stage: SmtpStage | null, reply: string): Treatment {
  const words = wordsOf(stage, reply);
  if (stage === null) {
    const bounce = bounceOf(words);
    const suppress = suppressionOf(bounce, null, 0) !== null;
    return { class: bounce.classification, type: bounce.type, suppress };
  }
  const { code } = words;
  if (code === null) throw new Error(`a reply needs a code: ${reply}`);
  const verdict = judge(
    { ...words, kind: "reply", code, stage, mxHost: null, tls: null },
    { nextAttemptAt: null },
  );
  if (verdict.kind !== "bounced") throw new Error(`${reply} did not bounce`);
  return {
    class: classify({ ...words, code, stage }),
    type: verdict.bounce.type,
    suppress: suppressionOf(verdict.bounce, verdict.refusedAt, 0) !== null,
  };
}

export function ratesOf(refusals: readonly QuotedRefusal[]): Rates {
  const treated = refusals.map((refusal) => ({ refusal, ...treat(refusal.stage, refusal.reply) }));
  const hard = treated.filter(({ refusal }) => refusal.hard);
  const others = treated.filter(({ refusal }) => !refusal.hard);
  const late = hard.filter(({ refusal }) => refusal.stage === "data" || refusal.stage === "end");
  return {
    refusals: refusals.length,
    exact: share(treated, (one) => one.class === one.refusal.class),
    wronglySuppressed: share(others, ({ suppress }) => suppress),
    missed: share(hard, ({ suppress }) => !suppress),
    missedAfterData: share(late, ({ suppress }) => !suppress),
  };
}

function share<Item>(items: readonly Item[], counts: (item: Item) => boolean): number {
  return items.filter(counts).length / items.length;
}

/**
 * Lists the classes that were confused with each other, most frequent first, one pair in a line.
 */
export function confusionOf(refusals: readonly QuotedRefusal[]): string {
  const counts = new Map<string, number>();
  for (const refusal of refusals) {
    const { class: found, suppress } = treat(refusal.stage, refusal.reply);
    if (found === refusal.class && suppress === refusal.hard) continue;
    const line = `${refusal.class} as ${found}${suppress ? ", suppressed" : ""}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([line, count]) => `\n${count} × ${line}`)
    .join("");
}

function parse([expected = "", mark, stage = "", reply = ""]: readonly string[]): QuotedRefusal {
  const heardAt = stage === "-" ? null : (stage as SmtpStage);
  return { class: expected, hard: mark === "hard", stage: heardAt, reply };
}

function wordsOf(stage: SmtpStage | null, reply: string): QuotedReply {
  if (stage === null && !/^\d{3}\b/.test(reply)) return readQuotedReply(reply);
  const [, code = "", enhanced = null, text = ""] =
    /^(\d{3})(?:[ -]([245]\.\d{1,3}\.\d{1,3}))?(?:[ -](.*))?$/s.exec(reply) ?? [];
  return { code: Number(code), enhanced, text };
}
