// The double of Cloudflare's Email Service. It accepts messages from the worker's binding over
// HTTP, delivers them by SMTP, and puts their events onto the worker's queue. Tests and developers
// can set its faults over HTTP (docs/local.md §The Email Service).
import { timingSafeEqual } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SmtpTimeouts } from "../../../smtp-gateway/src/smtp/smtp-connection.ts";
import {
  type HttpRequest,
  jsonBody,
  jsonReply,
  type LocalReply,
  Problem,
  serveHttp,
} from "../http-server.ts";
import { AccountSuppressions } from "./account-suppressions.ts";
import { DeliveryQueue } from "./delivery-queue.ts";
import { EventPublisher } from "./event-publisher.ts";
import { EventRule, type EventRules } from "./event-rules.ts";
import { type MailRoute, MailRoutes } from "./mail-routes.ts";
import { type IntakeParts, takeMessage } from "./message-intake.ts";
import { OnboardedNames } from "./onboarded-names.ts";
import { domainOf, onboardDomain } from "./onboarding.ts";
import type { PlatformSwitch } from "../platform/switches.ts";
import { RuleList } from "../rule-list.ts";
import { SendRefusal } from "./send-refusal.ts";
import { SendingQuota } from "./sending-quota.ts";
import { StoredSettings } from "./service-settings.ts";
import { type ServiceMessage, TakenMessages } from "./taken-messages.ts";

const TIMEOUTS: SmtpTimeouts = {
  connect: 5_000,
  greeting: 30_000,
  command: 30_000,
  data: 30_000,
  block: 30_000,
  final: 60_000,
  quit: 1_000,
};

export interface EmailServiceOptions {
  /** The directory where messages, suppressions, counts and rules are stored. */
  readonly directory: string;
  /** The worker and the double authenticate to each other with this token. */
  readonly token: string;
  /** The worker's URL for events (wrapped-worker.ts). */
  readonly eventsUrl: string;
  readonly route: MailRoute;
  /**
   * URL of the local DNS, which gets the records of onboarded domains. Absent means that no records
   * are published.
   */
  readonly dnsUrl?: string;
  /** The divisor of the waits between delivery attempts. Absent means 1. */
  readonly retrySpeedup?: number;
  /** The switches of docs/real-platform.md that are on. Absent means none. */
  readonly platform?: readonly PlatformSwitch[];
  readonly timeouts?: Partial<SmtpTimeouts>;
}

export interface EmailService {
  readonly port: number;
  verifiedDestinations(): readonly string[];
  close(): Promise<void>;
}

interface Desk extends IntakeParts {
  readonly token: string;
  readonly dnsUrl: string | undefined;
  readonly rules: EventRules;
  readonly queue: DeliveryQueue;
}

/** Starts the server on 127.0.0.1. Port 0 means any free port. */
export async function startEmailService(
  port: number,
  options: EmailServiceOptions,
): Promise<EmailService> {
  const { directory, token, eventsUrl, route, dnsUrl, retrySpeedup = 1, timeouts } = options;
  const { platform = [] } = options;
  mkdirSync(directory, { recursive: true });
  const messages = new TakenMessages(join(directory, "messages"));
  const suppressions = new AccountSuppressions(join(directory, "suppressions.json"));
  const settings = new StoredSettings(join(directory, "settings.json"), platform);
  const names = new OnboardedNames(join(directory, "onboarded.json"), retrySpeedup);
  const quota = new SendingQuota(join(directory, "quota.json"));
  const rules = new RuleList(join(directory, "event-rules.json"), EventRule);
  const publisher = new EventPublisher(messages, { url: eventsUrl, token });
  const queue = new DeliveryQueue({
    messages,
    suppressions,
    settings,
    rules,
    publisher,
    routes: new MailRoutes(route),
    timeouts: { ...TIMEOUTS, ...timeouts },
    retrySpeedup,
  });
  const desk = { token, dnsUrl, messages, suppressions, settings, quota, names, rules, queue };
  const http = await serveHttp(port, (request) => answer(request, desk));
  return {
    port: http.port,
    verifiedDestinations: () => settings.current.verified_destinations,
    async close() {
      queue.close();
      await publisher.close();
      await http.close();
    },
  };
}

async function answer(request: HttpRequest, desk: Desk): Promise<LocalReply> {
  const [noun, ...more] = request.path;
  if (more.length > 0) throw new Problem(404, "there is nothing here");
  switch (noun) {
    case "send":
      return answerSend(request, desk);
    case "messages":
      return answerMessages(request, desk);
    case "complaints":
      return answerComplaint(request, desk);
    case "domains":
      return onboard(request, desk);
    case "suppressions":
      return answerSuppressions(request, desk);
    case "settings":
      if (request.method === "PUT") desk.settings.replace(jsonBody(request));
      else allow(request, "GET", "PUT");
      return jsonReply(200, desk.settings.current);
    case "event-rules":
      if (request.method === "PUT") desk.rules.replace(jsonBody(request)["rules"]);
      else allow(request, "GET", "PUT");
      return jsonReply(200, desk.rules.list());
    case "quota":
      if (request.method === "DELETE") desk.quota.reset();
      else allow(request, "GET", "DELETE");
      return jsonReply(200, describeQuota(desk, Date.now()));
    case undefined:
    default:
      throw new Problem(404, "there is nothing here");
  }
}

/**
 * Answers a `send()` with a message id. If the message is refused, answers 422 with the code and
 * text of the error that `send()` throws.
 */
function answerSend(request: HttpRequest, desk: Desk): LocalReply {
  allow(request, "POST");
  if (!isBearer(request.headers.authorization, desk.token)) throw new Problem(401, "wrong token");
  const { query, body } = request;
  try {
    const message = takeMessage(desk, query.get("from") ?? "", query.get("to") ?? "", body);
    desk.queue.add(message);
    return jsonReply(200, { messageId: message.messageId });
  } catch (error) {
    if (!(error instanceof SendRefusal)) throw error;
    const isPlain = error.plain !== undefined && desk.settings.isOn("plain_errors");
    return jsonReply(
      422,
      isPlain ? { code: null, message: error.plain } : { code: error.code, message: error.message },
    );
  }
}

/**
 * Describes the day's quota. `quota` is as in Cloudflare's API: null means that the account may not
 * send yet. It does not mean that the account has no limit.
 */
function describeQuota({ quota, settings, names }: Desk, now: number): Record<string, unknown> {
  const { daily_limit: limit } = settings.current;
  const isNull = settings.isOn("late_start") && !names.anyMaySend(now);
  return {
    sent: quota.sentOn(now),
    daily_limit: limit,
    quota: isNull || limit === null ? null : { value: limit, unit: "day" },
  };
}

function answerMessages(request: HttpRequest, { messages }: Desk): LocalReply {
  if (request.method === "DELETE") {
    messages.clear();
    return { status: 204 };
  }
  allow(request, "GET", "DELETE");
  const to = request.query.get("to")?.toLowerCase();
  const listed = messages
    .list()
    .filter(({ recipient }) => to === undefined || recipient.toLowerCase() === to)
    .toReversed();
  return jsonReply(200, { messages: listed.map(present) });
}

/**
 * Creates a complaint about the last message that was delivered to a recipient. The body is
 * `{recipient}`.
 */
function answerComplaint(request: HttpRequest, { messages, queue }: Desk): LocalReply {
  allow(request, "POST");
  const { recipient } = jsonBody(request);
  if (typeof recipient !== "string") throw new Problem(400, "recipient: is not a string");
  const message = messages
    .list()
    .findLast(
      (one) =>
        one.status === "delivered" && one.recipient.toLowerCase() === recipient.toLowerCase(),
    );
  if (!message) throw new Problem(404, `recipient: nothing was delivered to ${recipient}`);
  queue.complain(message);
  return jsonReply(200, present(message));
}

async function onboard(
  request: HttpRequest,
  { dnsUrl, settings, names }: Desk,
): Promise<LocalReply> {
  allow(request, "POST");
  const domain = domainOf(jsonBody(request));
  if (dnsUrl !== undefined) await onboardDomain(dnsUrl, domain);
  names.add(domain, Date.now());
  const { current } = settings;
  if (current.domains) settings.replace({ ...current, domains: [...current.domains, domain] });
  return jsonReply(200, { name: domain, enabled: true });
}

function answerSuppressions(request: HttpRequest, { suppressions }: Desk): LocalReply {
  const now = Date.now();
  if (request.method === "POST") suppressions.addByHand(jsonBody(request), now);
  else if (request.method === "DELETE") {
    const recipient = request.query.get("recipient");
    if (recipient === null) throw new Problem(400, "recipient: is missing");
    suppressions.remove(recipient);
  } else allow(request, "GET", "POST", "DELETE");
  return jsonReply(200, { suppressions: suppressions.list(now) });
}

function present(message: ServiceMessage): Record<string, unknown> {
  return {
    message_id: message.messageId,
    mail_from: message.mailFrom,
    sender: message.sender,
    recipient: message.recipient,
    subject: message.subject,
    taken_at: new Date(message.takenAt).toISOString(),
    status: message.status,
    attempts: message.attempts,
    last_reply: message.lastReply,
    complained: message.complained,
    unpublished_events: message.pending.length + message.held.length,
  };
}

function allow(request: HttpRequest, ...methods: readonly string[]): void {
  if (!methods.includes(request.method)) throw new Problem(405, `only ${methods.join(" and ")}`);
}

function isBearer(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(authorization ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
