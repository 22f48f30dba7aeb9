// The inbox's rules, which a person or a test sets. A rule makes the inbox's mail server refuse,
// wait or disconnect at one stage of an SMTP session. At the stages `connect`, `starttls` and
// `mail`, the recipient is not known yet, so `rcpt` has no effect. At `data` and `end`, a rule
// applies if `rcpt` matches one of the accepted recipients.
import { isIP } from "node:net";
import * as z from "zod";
import { FLAG, type RuleList, ruleOf } from "../rule-list.ts";
import { oneOf } from "../set-values.ts";

/**
 * The stages at which a rule applies: before the greeting, at STARTTLS, at MAIL, at RCPT, at DATA,
 * or after the final dot.
 */
export const STAGES = ["connect", "starttls", "mail", "rcpt", "data", "end"] as const;
const BEFORE_RECIPIENTS: ReadonlySet<string> = new Set(["connect", "starttls", "mail"]);

/** If a rule has only a delay, the rules after it are checked too. */
export const InboxRule = ruleOf({
  /** The IP address that the client connected to. Absent means all mail servers. */
  server: z
    .string("is not an IP address")
    .refine((server) => isIP(server) !== 0, "is not an IP address")
    .optional(),
  stage: oneOf(STAGES),
  /**
   * One reply, sent exactly as written. `\n` separates the lines of the reply. After a 2xx (354 at
   * `data`), the session continues normally. Any other reply refuses the client's command. At
   * `connect`, it also ends the session, and a 421 does so at every stage.
   */
  reply: z
    .string("is not a string")
    .refine(isReply, "is not an SMTP reply, such as `451 4.7.1 try later`")
    .optional(),
  /**
   * Ends the connection without a reply. At `starttls`, this happens during the handshake. At
   * `end`, the message is not stored. If a rule has `drop` and `reply`, `drop` applies.
   */
  drop: FLAG,
  /**
   * Stores the message before the connection ends, so the sender can't know whether the server took
   * it.
   */
  keep: FLAG,
})
  .refine(({ drop, keep, stage }) => keep === undefined || (drop === true && stage === "end"), {
    path: ["keep"],
    error: "is not true or false, with drop at the stage end",
  })
  .refine(
    ({ reply, drop, delay_ms: delay }) => reply !== undefined || drop || delay !== undefined,
    "has none of reply, drop and delay_ms",
  );

export type InboxRules = RuleList<z.infer<typeof InboxRule>>;

/** The mail server's action at a stage. It follows the delay. */
type InboxRuleResult =
  | { readonly kind: "go" }
  | { readonly kind: "drop"; readonly keep: boolean }
  | { readonly kind: "reply"; readonly text: string };

/**
 * Returns the action at `stage` on `server`. The delays of the rules that apply add up, until a
 * rule replies or drops.
 */
export function decideStage(
  rules: InboxRules,
  stage: (typeof STAGES)[number],
  recipients: readonly string[],
  server: string,
): { readonly delayMs: number; readonly verdict: InboxRuleResult } {
  let delayMs = 0;
  const known = BEFORE_RECIPIENTS.has(stage) ? null : recipients;
  const fits = (rule: z.infer<typeof InboxRule>): boolean =>
    rule.stage === stage && (rule.server ?? server) === server;
  for (const { delay_ms: delay = 0, drop, keep = false, reply } of rules.applying(known, fits)) {
    delayMs += delay;
    if (drop) return { delayMs, verdict: { kind: "drop", keep } };
    if (reply !== undefined) return { delayMs, verdict: { kind: "reply", text: reply } };
  }
  return { delayMs, verdict: { kind: "go" } };
}

/** Tells whether a text is one SMTP reply: one code, and any number of lines. */
function isReply(text: string): boolean {
  const lines = text.split(/\r?\n/);
  const code = lines[0]?.slice(0, 3) ?? "";
  return lines.every((line, index) => {
    const separator = line.charAt(3);
    const expected =
      index === lines.length - 1 ? separator === " " || separator === "" : separator === "-";
    return /^[2-5][0-9]{2}/.test(line) && line.startsWith(code) && expected && !line.includes("\r");
  });
}
