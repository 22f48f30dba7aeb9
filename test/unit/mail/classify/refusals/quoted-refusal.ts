// A refusal of the collection, and what the service makes of it: its class, and whether the address
// is suppressed.
import { ruleOn } from "../../../../../src/mail/classify/classify.ts";
import { judge } from "../../../../../src/mail/deliver/judge.ts";
import { bounceOf } from "../../../../../src/mail/feedback/quoted-reply.ts";
import type { Stage } from "../../../../../src/mail/message.ts";
import { suppressionOf } from "../../../../../src/mail/record/effects.ts";
import { FILTERS } from "./filters.ts";
import { PARAPHRASES } from "./paraphrases.ts";
import { PROVIDERS } from "./providers.ts";
import { SERVERS } from "./servers.ts";

export interface QuotedRefusal {
  readonly class: string;
  /** It is about the address, for good. */
  readonly hard: boolean;
  /** Null: a report that does not say. */
  readonly stage: Stage | null;
  readonly code: number;
  readonly enhanced: string | null;
  readonly text: string;
}

interface Treatment {
  readonly class: string | null;
  readonly suppressed: boolean;
  readonly rule: string;
}

export interface Rates {
  readonly refusals: number;
  /** The share that gets exactly its class. */
  readonly exact: number;
  /** The share of those not about the address that suppress it. */
  readonly wronglySuppressed: number;
  /** The share of the hard ones that suppress nothing. */
  readonly missed: number;
  /** The same of those that came after DATA. */
  readonly missedAfterData: number;
}

const fromServers = [PROVIDERS, SERVERS, FILTERS].flatMap(read);

/** Every third refusal of servers. The rules were written without a look at these. */
export const HELD_BACK: readonly QuotedRefusal[] = fromServers.filter(
  (_, index) => index % 3 === 2,
);
/** All others. */
export const WRITTEN_FROM: readonly QuotedRefusal[] = [
  ...fromServers.filter((_, index) => index % 3 !== 2),
  ...read(PARAPHRASES),
];

export function treat({ code, enhanced, text, stage }: QuotedRefusal): Treatment {
  const { class: found = null, rule = "" } = ruleOn({ code, enhanced, text, stage }) ?? {};
  if (stage === null) {
    const bounce = bounceOf({ code, enhanced, text });
    return {
      class: bounce.classification,
      suppressed: suppressionOf(bounce, null, 0) !== null,
      rule,
    };
  }
  const verdict = judge(
    { kind: "reply", code, enhanced, text, stage, mxHost: null, tls: null },
    { nextAttemptAt: null },
  );
  if (verdict.kind !== "bounced") throw new Error(`${code} ${text} did not bounce`);
  return {
    class: found,
    suppressed: suppressionOf(verdict.bounce, verdict.refusedAt, 0) !== null,
    rule,
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

function read(table: string): QuotedRefusal[] {
  return table
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(parse);
}

function parse(line: string): QuotedRefusal {
  const [expected = "", mark, stage = "", reply = ""] = line.split(" | ");
  const [, code = "", enhanced = null, text = ""] =
    /^(\d{3})(?:[ -]([245]\.\d{1,3}\.\d{1,3}))?(?:[ -](.*))?$/s.exec(reply) ?? [];
  return {
    class: expected,
    hard: mark === "hard",
    stage: stage === "-" ? null : (stage as Stage),
    code: Number(code),
    enhanced,
    text,
  };
}
