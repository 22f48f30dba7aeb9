// Forwards mail for postmaster to the operator's address (RFC 5321 §4.5.1; contract.md
// §Postmaster). The worker makes one attempt while the sender waits, and queues no mail. If the
// attempt fails, the sender tries again. The rate is limited, and mail is never forwarded in a loop
// or back to its sender.
import { Buffer } from "node:buffer";
import type { Env } from "../../env.ts";
import { logInfo, logWarning } from "../../lib/log.ts";
import { REPORT_BYTES } from "../../limits.ts";
import { courierFor } from "../../resources/team-settings/courier-choice.ts";
import { prepareRaw } from "../compose/raw.ts";
import { type Settings, settingsOf } from "../../settings.ts";
import type { Outcome } from "../message.ts";
import { objectOf } from "../../object-of.ts";

/** `later` means that the sender should try again. */
export type ForwardResult = "taken" | "later" | "too_large";

/** The part of ForwardableEmailMessage that this file needs. */
interface IncomingEmail {
  readonly raw: ReadableStream<Uint8Array>;
  readonly rawSize: number;
  setReject(reason: string): void;
  forward(address: string, headers?: Headers): Promise<unknown>;
}

/**
 * Timeout of the only attempt. It is shorter than the time for which the gateway waits for the
 * worker.
 */
const ATTEMPT_TIMEOUT_MS = 40_000;
/**
 * Maximum number of Received fields in a message that is not in a loop. RFC 5321 §6.3 allows 100,
 * but mail to postmaster passes few hosts.
 */
const RECEIVED_FIELDS = 25;
const LOOP_HEADER = "X-Loop";

/** Forwards a message that came from the gateway. Changes only the parts that SMTP cannot carry. */
export async function forwardToOperator(
  env: Env,
  raw: Uint8Array,
  now: number,
): Promise<ForwardResult> {
  const settings = settingsOf(env);
  if (raw.length > REPORT_BYTES) return "too_large";
  const target = await chooseAddress(env, settings, raw, now);
  if (typeof target === "string") return target;
  // Cloudflare's Email Service can't forward: it sends only from zones of the operator's account.
  if (courierFor(null, settings) === "cloudflare") return drop("courier", raw.length);
  const outcome = await carryOnce(
    env,
    settings,
    target.address,
    await addLoopHeader(raw, loopValueOf(settings)),
  );
  if (outcome === undefined || !isFinal(outcome)) return "later";
  if (outcome.kind === "reply" && outcome.code < 300)
    logInfo("postmaster_forwarded", { bytes: raw.length });
  else drop("refused", raw.length);
  return "taken";
}

/**
 * Forwards a message that came from Cloudflare Email Routing, through Email Routing itself. If this
 * fails or the rate is exceeded, throws, so that the message is not accepted.
 */
export async function forwardEmail(email: IncomingEmail, env: Env, now: number): Promise<void> {
  const settings = settingsOf(env);
  if (email.rawSize > REPORT_BYTES) return email.setReject("5.3.4 The message is too large");
  const target = await chooseAddress(
    env,
    settings,
    new Uint8Array(await new Response(email.raw).arrayBuffer()),
    now,
  );
  if (target === "later")
    throw new Error("mail to postmaster exceeds its rate; the sender must try again later");
  if (target === "taken") return;
  await email.forward(target.address, new Headers({ [LOOP_HEADER]: loopValueOf(settings) }));
  logInfo("postmaster_forwarded", { bytes: email.rawSize });
}

/**
 * Returns the address to which the message goes. `taken` means that the message is dropped, and the
 * log gives the reason. `later` means that the rate is exceeded.
 */
async function chooseAddress(
  env: Env,
  settings: Settings,
  raw: Uint8Array,
  now: number,
): Promise<{ readonly address: string } | "taken" | "later"> {
  const { postmasterAddress: address } = settings;
  if (address === null) return drop("no_address", raw.length);
  const reason = reasonAgainst(raw, loopValueOf(settings));
  if (reason !== null) return drop(reason, raw.length);
  // `fail` counts messages within a time window. It returns 0 while the rate is not exceeded.
  if ((await objectOf(env, "AUTH_FAILURES", "postmaster").fail(crypto.randomUUID(), now)) === 0)
    return { address };
  logWarning("postmaster_too_much");
  return "later";
}

/**
 * Returns the reason why a message must not be forwarded. Null means that it may be forwarded.
 * `loop` means that this service has already forwarded it, or that it has passed too many hosts.
 * `answer` means that it is an automatic reply. Postmaster sends no mail, so it needs no automatic
 * replies.
 */
function reasonAgainst(raw: Uint8Array, loopValue: string): "loop" | "answer" | null {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("latin1");
  const fields = text.split(/\r\n\r\n|\n\n/, 1)[0]?.split(/\r?\n(?![ \t])/) ?? [];
  const wasHere = fields.some(
    (field) => /^x-loop[ \t]*:/i.test(field) && field.toLowerCase().includes(loopValue),
  );
  if (wasHere || fields.filter((field) => /^received[ \t]*:/i.test(field)).length > RECEIVED_FIELDS)
    return "loop";
  return fields.some((field) => /^auto-submitted[ \t]*:[ \t\r\n]*auto-replied/i.test(field))
    ? "answer"
    : null;
}

/**
 * Puts the service's X-Loop field before the message and makes the message fit for SMTP. All line
 * ends become CRLF, so that no line of the text can end the transaction. Long lines are broken, and
 * the header becomes ASCII.
 */
async function addLoopHeader(raw: Uint8Array, loopValue: string): Promise<Uint8Array> {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("latin1");
  const lines = text.replace(/\r\n|\r|\n/g, "\r\n").replaceAll("\0", "");
  const end = lines.endsWith("\r\n") ? "" : "\r\n";
  const message = Buffer.from(`${LOOP_HEADER}: ${loopValue}\r\n${lines}${end}`, "latin1");
  return (await prepareRaw(message)).ascii.raw;
}

/**
 * Makes the attempt to forward a message. Undefined means that the attempt did not finish in time.
 */
async function carryOnce(
  env: Env,
  settings: Settings,
  address: string,
  bytes: Uint8Array,
): Promise<Outcome | undefined> {
  const key = `postmaster/${crypto.randomUUID()}/1`;
  // A relay rejects the null sender, so the operator's own address is the sender, and a bounce goes
  // to that address.
  const mailFrom = courierFor(null, settings) === "gateway" ? "" : address;
  const copy = { key, mailFrom, rcptTo: address, sender: address, pool: null, team: null, bytes };
  // The couriers import modules of the Workers runtime. Programs that only read the table of
  // endpoints run without that runtime, so the import is dynamic.
  const { Couriers } = await import("./couriers/couriers.ts");
  let outcome: Outcome | undefined;
  async function* copies() {
    yield await Promise.resolve(copy);
  }
  const carrier = new Couriers(env, settings, ATTEMPT_TIMEOUT_MS / 1_000).of(null, key);
  const carrying = carrier.courier(copies(), (_, reported) => {
    if (reported.kind === "reply" || reported.kind === "failure") outcome = reported;
  });
  await Promise.race([carrying, scheduler.wait(ATTEMPT_TIMEOUT_MS)]);
  return outcome;
}

function isFinal(outcome: Outcome): boolean {
  if (outcome.kind === "reply") return outcome.code < 400 || outcome.code >= 500;
  return outcome.cause === "no_mail_server" || outcome.cause === "null_mx";
}

function drop(reason: string, bytes: number): "taken" {
  logInfo("postmaster_dropped", { reason, bytes });
  return "taken";
}

/** The X-Loop value of messages that this service forwards. */
function loopValueOf({ serviceDomain }: Settings): string {
  return `postmaster@${serviceDomain}`;
}
