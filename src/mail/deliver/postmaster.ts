// Mail to postmaster (RFC 5321 §4.5.1; contract.md §Postmaster): handed on to the operator's
// address in one attempt, while the sender waits, who tries again where it can't be done now. So
// nothing is queued. It goes to that one address and nowhere else, within a rate, never in a
// circle, and never back to its sender.
import { Buffer } from "node:buffer";
import { type Env, type Settings, settingsOf } from "../../env.ts";
import { logInfo, logWarning } from "../../lib/log.ts";
import { REPORT_BYTES } from "../../limits.ts";
import { courierFor } from "../../resources/teams/courier-choice.ts";
import { prepareRaw } from "../compose/raw.ts";
import type { Outcome } from "../message.ts";

/** `later`: it is to be given again. */
export type Forwarding = "taken" | "later" | "too_large";

/** The part of ForwardableEmailMessage that is needed here. */
interface IncomingEmail {
  readonly raw: ReadableStream<Uint8Array>;
  readonly rawSize: number;
  setReject(reason: string): void;
  forward(address: string, headers?: Headers): Promise<unknown>;
}

/** Shorter than the gateway waits for the worker. */
const WITHIN_MS = 40_000;
/**
 * A message that came over so many hosts goes in a circle (RFC 5321 §6.3 has 100; mail to a
 * postmaster comes over few).
 */
const RECEIVED_FIELDS = 25;
const MARK = "X-Loop";

/** Hands on what came by the gateway, as it came but for what SMTP can't carry. */
export async function forwardToOperator(
  env: Env,
  raw: Uint8Array,
  now: number,
): Promise<Forwarding> {
  const settings = settingsOf(env);
  if (raw.length > REPORT_BYTES) return "too_large";
  const verdict = await judge(env, settings, raw, now);
  if (typeof verdict === "string") return verdict;
  // it sends from its own zones alone
  if (courierFor(null, settings) === "cloudflare") return dropped("courier", raw.length);
  const outcome = await carried(
    env,
    settings,
    verdict.address,
    await marked(raw, markOf(settings)),
  );
  if (outcome === undefined || !isFinal(outcome)) return "later";
  if (outcome.kind === "reply" && outcome.code < 300)
    logInfo("postmaster_forwarded", { bytes: raw.length });
  else dropped("refused", raw.length);
  return "taken";
}

/**
 * Hands on what Cloudflare Email Routing brought, through Email Routing itself. Throws where that
 * fails, or is too much now: then it is not taken.
 */
export async function forwardEmail(email: IncomingEmail, env: Env, now: number): Promise<void> {
  const settings = settingsOf(env);
  if (email.rawSize > REPORT_BYTES) return email.setReject("5.3.4 The message is too large");
  const verdict = await judge(
    env,
    settings,
    new Uint8Array(await new Response(email.raw).arrayBuffer()),
    now,
  );
  if (verdict === "later") throw new Error("too much mail to postmaster");
  if (verdict === "taken") return;
  await email.forward(verdict.address, new Headers({ [MARK]: markOf(settings) }));
  logInfo("postmaster_forwarded", { bytes: email.rawSize });
}

/** Where it goes; `taken`: nowhere, and why not is in the log. */
async function judge(
  env: Env,
  settings: Settings,
  raw: Uint8Array,
  now: number,
): Promise<{ readonly address: string } | "taken" | "later"> {
  const { postmasterAddress: address } = settings;
  if (address === null) return dropped("no_address", raw.length);
  const reason = reasonAgainst(raw, markOf(settings));
  if (reason !== null) return dropped(reason, raw.length);
  // The object counts what happens in a window of time, and says from when on it is too much.
  if ((await env.AUTH_FAILURES.getByName("postmaster").fail(crypto.randomUUID(), now)) === 0)
    return { address };
  logWarning("postmaster_too_much");
  return "later";
}

/**
 * Why a message must not go on: it has been here, has come over too many hosts, or answers what
 * nobody sent.
 */
function reasonAgainst(raw: Uint8Array, mark: string): "loop" | "answer" | null {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("latin1");
  const fields = text.split(/\r\n\r\n|\n\n/, 1)[0]?.split(/\r?\n(?![ \t])/) ?? [];
  const hasMark = fields.some(
    (field) => /^x-loop[ \t]*:/i.test(field) && field.toLowerCase().includes(mark),
  );
  if (hasMark || fields.filter((field) => /^received[ \t]*:/i.test(field)).length > RECEIVED_FIELDS)
    return "loop";
  return fields.some((field) => /^auto-submitted[ \t]*:[ \t\r\n]*auto-replied/i.test(field))
    ? "answer"
    : null;
}

/**
 * Behind the mark: line ends are CRLF alone, so that no line of a stranger's can end the
 * transaction, lines fit, and the header is ASCII.
 */
async function marked(raw: Uint8Array, mark: string): Promise<Uint8Array> {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("latin1");
  const whole = `${MARK}: ${mark}\r\n${text.replace(/\r\n|\r|\n/g, "\r\n").replaceAll("\0", "")}`;
  return (await prepareRaw(Buffer.from(whole.endsWith("\r\n") ? whole : `${whole}\r\n`, "latin1")))
    .ascii.raw;
}

/** What became of the one attempt; undefined: it did not come to an end in time. */
async function carried(
  env: Env,
  settings: Settings,
  address: string,
  bytes: Uint8Array,
): Promise<Outcome | undefined> {
  const key = `postmaster/${crypto.randomUUID()}/1`;
  // A relay takes no null sender; a bounce of the operator's own address comes to the operator.
  const mailFrom = courierFor(null, settings) === "gateway" ? "" : address;
  const parcel = { key, mailFrom, rcptTo: address, sender: address, pool: null, bytes };
  // The couriers stand on modules of the Workers runtime, which the programs that only read the
  // table of endpoints run without.
  const { Couriers } = await import("./couriers/couriers.ts");
  let outcome: Outcome | undefined;
  async function* parcels() {
    yield await Promise.resolve(parcel);
  }
  const carrying = new Couriers(env, settings).of(null, key).courier(parcels(), (_, told) => {
    outcome = told;
  });
  await Promise.race([carrying, scheduler.wait(WITHIN_MS)]);
  return outcome;
}

function isFinal(outcome: Outcome): boolean {
  if (outcome.kind === "reply") return outcome.code < 400 || outcome.code >= 500;
  return outcome.cause === "no_mail_server" || outcome.cause === "null_mx";
}

function dropped(reason: string, bytes: number): "taken" {
  logInfo("postmaster_dropped", { reason, bytes });
  return "taken";
}

/** What a message that went on from here bears. */
function markOf({ serviceDomain }: Settings): string {
  return `postmaster@${serviceDomain}`;
}
