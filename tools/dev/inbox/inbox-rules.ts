// The inbox's rules. By a rule, a person or a test makes the inbox's mail server refuse, wait or
// disconnect at one stage of an SMTP session. At the stages `connect`, `starttls` and `mail`, the
// recipient is not known yet, so `rcpt` is ignored. At `data` and `end`, a rule applies if `rcpt`
// matches one of the accepted recipients.
import { isIP } from "node:net";
import { Problem } from "../http-server.ts";
import { readStateFile, writeStateFile } from "../state-file.ts";

const STAGES = ["connect", "starttls", "mail", "rcpt", "data", "end"] as const;
const BEFORE_RECIPIENTS: ReadonlySet<string> = new Set(["connect", "starttls", "mail"]);
const DELAY_MAX_MS = 60 * 60 * 1000;
const MEMBERS = new Set(["rcpt", "server", "stage", "reply", "times", "drop", "keep", "delay_ms"]);

/**
 * The stage at which a rule applies: before the greeting, at STARTTLS, at MAIL, at RCPT, at DATA,
 * or after the final dot.
 */
export type InboxStage = (typeof STAGES)[number];

export interface InboxRule {
  /**
   * Case-insensitive regular expression. The rule applies if a part of the recipient's address
   * matches. Absent means every recipient.
   */
  readonly rcpt?: string;
  /**
   * The IP address that the client connected to, if there are several mail servers. Absent means
   * all of them.
   */
  readonly server?: string;
  readonly stage: InboxStage;
  /**
   * One reply, sent exactly as written. `\n` separates the lines of the reply. After a 2xx (354 at
   * `data`), the session continues normally. Any other reply refuses the client's command. At
   * `connect`, it also ends the session, and a 421 does so at every stage.
   */
  readonly reply?: string;
  /** Maximum number of times that the rule is applied. Absent means no limit. */
  readonly times?: number;
  /**
   * Ends the connection without a reply. At `starttls`, this happens during the handshake. At
   * `end`, the message is not stored. If a rule has `drop` and `reply`, `drop` applies.
   */
  readonly drop?: boolean;
  /**
   * Stores the message before the connection ends, so the sender can't know what became of it.
   * Allowed only with `drop` at the stage `end`.
   */
  readonly keep?: boolean;
  /**
   * Milliseconds to wait before the reply or drop. If a rule has only a delay, the rules after it
   * are checked too.
   */
  readonly delay_ms?: number;
}

/** The mail server's action at a stage, after the delay. */
export type InboxRuleResult =
  | { readonly kind: "go" }
  | { readonly kind: "drop"; readonly keep: boolean }
  | { readonly kind: "reply"; readonly text: string };

interface HeldRule {
  readonly rule: InboxRule;
  readonly pattern: RegExp | null;
  used: number;
}

export class Rules {
  readonly #path: string;
  #held: HeldRule[] = [];

  /**
   * The rules and their counts are stored in the file at `path`, so that they survive a restart.
   */
  constructor(path: string) {
    this.#path = path;
    const kept = readStateFile(path) as { rules: unknown; used: number[] } | undefined;
    if (!kept) return;
    this.#held = parseRules(kept.rules);
    for (const [index, held] of this.#held.entries()) held.used = kept.used[index] ?? 0;
  }

  /**
   * Replaces all rules and resets their counts. Throws a 400 Problem that names the invalid rule.
   */
  replace(rules: unknown): void {
    this.#held = parseRules(rules);
    this.#keep();
  }

  /**
   * Returns the rules as they were given, and for each rule the number of times that it was
   * applied.
   */
  list(): { rules: InboxRule[]; used: number[] } {
    return {
      rules: this.#held.map((held) => held.rule),
      used: this.#held.map((held) => held.used),
    };
  }

  /**
   * Returns the action at `stage` on `server`, and counts each rule that applies. The delays of
   * these rules add up, until a rule replies or drops.
   */
  decide(
    stage: InboxStage,
    recipients: readonly string[],
    server: string,
  ): { delayMs: number; verdict: InboxRuleResult } {
    let delayMs = 0;
    for (const held of this.#held) {
      if (!applies(held, stage, recipients, server)) continue;
      held.used += 1;
      this.#keep();
      delayMs += held.rule.delay_ms ?? 0;
      if (held.rule.drop)
        return { delayMs, verdict: { kind: "drop", keep: held.rule.keep ?? false } };
      if (held.rule.reply !== undefined)
        return { delayMs, verdict: { kind: "reply", text: held.rule.reply } };
    }
    return { delayMs, verdict: { kind: "go" } };
  }

  #keep(): void {
    writeStateFile(this.#path, this.list());
  }
}

function applies(
  held: HeldRule,
  stage: InboxStage,
  recipients: readonly string[],
  server: string,
): boolean {
  const { pattern, rule, used } = held;
  if (rule.stage !== stage || used >= (rule.times ?? Infinity)) return false;
  if (rule.server !== undefined && rule.server !== server) return false;
  if (pattern === null || BEFORE_RECIPIENTS.has(stage)) return true;
  return recipients.some((recipient) => pattern.test(recipient));
}

function parseRules(rules: unknown): HeldRule[] {
  if (!Array.isArray(rules)) throw new Problem(400, "rules: is not a list");
  return rules.map((rule: unknown, index) =>
    parseRule(rule, (member, message) => new Problem(400, `rules.${index}${member}: ${message}`)),
  );
}

function parseRule(
  value: unknown,
  problem: (member: string, message: string) => Problem,
): HeldRule {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw problem("", "is not an object");
  const rule = value as Record<string, unknown>;
  for (const member of Object.keys(rule))
    if (!MEMBERS.has(member)) throw problem(`.${member}`, "is not a member of a rule");
  if (!STAGES.includes(rule["stage"] as InboxStage))
    throw problem(".stage", `is not one of ${STAGES.join(", ")}`);
  const { server } = rule;
  if (server !== undefined && (typeof server !== "string" || isIP(server) === 0))
    throw problem(".server", "is not an IP address");
  if (rule["drop"] !== undefined && typeof rule["drop"] !== "boolean")
    throw problem(".drop", "is not true or false");
  if (
    rule["keep"] !== undefined &&
    (typeof rule["keep"] !== "boolean" || !rule["drop"] || rule["stage"] !== "end")
  ) {
    throw problem(".keep", "is not true or false, with drop at the stage end");
  }
  if (!isCount(rule["times"], 1, Number.MAX_SAFE_INTEGER))
    throw problem(".times", "is not a whole number of at least 1");
  if (!isCount(rule["delay_ms"], 0, DELAY_MAX_MS))
    throw problem(".delay_ms", `is not a whole number from 0 to ${DELAY_MAX_MS}`);
  const reply = rule["reply"] === undefined ? undefined : parseReply(rule["reply"], problem);
  if (reply === undefined && !rule["drop"] && rule["delay_ms"] === undefined)
    throw problem("", "has none of reply, drop and delay_ms");
  return { rule: value as InboxRule, pattern: parsePattern(rule["rcpt"], problem), used: 0 };
}

function isCount(value: unknown, from: number, to: number): boolean {
  return (
    value === undefined ||
    (Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to)
  );
}

function parseReply(value: unknown, problem: (member: string, message: string) => Problem): string {
  if (typeof value !== "string") throw problem(".reply", "is not a string");
  const lines = value.split(/\r?\n/);
  const code = lines[0]?.slice(0, 3) ?? "";
  const wellFormed = lines.every((line, index) => {
    const separator = line.charAt(3);
    const expected =
      index === lines.length - 1 ? separator === " " || separator === "" : separator === "-";
    return /^[2-5][0-9]{2}/.test(line) && line.startsWith(code) && expected && !line.includes("\r");
  });
  if (!wellFormed) throw problem(".reply", "is not an SMTP reply, such as `451 4.7.1 try later`");
  return value;
}

/** Parses a rule's `rcpt`. Throws a 400 Problem. */
export function parsePattern(
  value: unknown,
  problem: (member: string, message: string) => Problem,
): RegExp | null {
  if (value === undefined) return null;
  if (typeof value !== "string") throw problem(".rcpt", "is not a string");
  try {
    return new RegExp(value, "i");
  } catch (error) {
    throw problem(".rcpt", `is not a regular expression (${(error as Error).message})`);
  }
}
