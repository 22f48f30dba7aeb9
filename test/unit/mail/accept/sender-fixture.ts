// Makes a team with a verified domain. Passes send requests to the acceptance code as the API does.
import { runInDurableObject } from "cloudflare:test";
import { expect } from "vitest";
import { bindings } from "../../../support/api.ts";
import { errorReply } from "../../../../src/api/errors.ts";
import type { ApiRequest, Caller, HttpReply, Team } from "../../../../src/endpoint.ts";
import { type Env } from "../../../../src/env.ts";
import { settingsOf } from "../../../../src/settings.ts";
import { acceptEmail } from "../../../../src/mail/accept/accept-email.ts";
import { acceptBatch } from "../../../../src/mail/accept/batch/accept-batch.ts";
import { sendContextOf } from "../../../../src/mail/accept/send-context.ts";
import { acceptBundle } from "../../../../src/mail/accept/smtp/accept-bundle.ts";
import type { MessageContent } from "../../../../src/mail/message.ts";
import { decodeContent, type StoredContent } from "../../../../src/mail/stored-content.ts";
import { type Refusal, RefusalError } from "../../../../src/refusal.ts";
import { ON_SHARD_0 } from "../../../support/shard-bindings.ts";
import { UNNOTED_FIRST_MAIL } from "../../../../src/regions.ts";
import { coreWith, newIdOn } from "../../../../src/db/core-shards.ts";

/** Members of a team that differ from the usual, also single limits and label caps. */
type TeamChange = Partial<Omit<Team, "limits" | "labelCaps">> & {
  readonly limits?: Partial<Team["limits"]>;
  readonly labelCaps?: Partial<Team["labelCaps"]>;
};

export interface FixtureSender {
  readonly team: Team;
  readonly domain: { readonly id: string; readonly name: string };
  /** Makes the body of a valid send. `change` replaces some members. */
  readonly body: (change?: Record<string, unknown>) => Record<string, unknown>;
  /** Sends `body(change)`. */
  readonly send: (change?: Record<string, unknown>, options?: Options) => Promise<Result>;
}

interface Options {
  readonly key?: string;
  readonly team?: TeamChange;
  readonly allowedDomains?: readonly string[] | null;
  readonly env?: Partial<Env>;
  readonly now?: number;
}

type Body = Record<string, unknown> | string | Uint8Array;

export const RATE_HEADERS = {
  "RateLimit-Limit": expect.stringMatching(/^\d+$/) as string,
  "RateLimit-Remaining": expect.stringMatching(/^\d+$/) as string,
  "RateLimit-Reset": expect.stringMatching(/^\d+$/) as string,
};

export type Result =
  | {
      readonly kind: "reply";
      readonly status: number;
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "thrown";
      readonly refusal: Refusal;
      readonly headers: Readonly<Record<string, string>>;
    };

let made = 0;

/** Makes a team with a domain. Its delivery rate is 0, so that its messages wait in the ledger. */
export async function makeSender(change: TeamChange = {}): Promise<FixtureSender> {
  made += 1;
  const shard = made % 2;
  const id = newIdOn(shard, "team");
  const domain = {
    id: newIdOn(shard, "domain"),
    name: `${crypto.randomUUID().slice(0, 8)}.example.com`,
  };
  await insertDomain(id, domain, "verified");
  const usual: Team = {
    id,
    name: "Team",
    number: 1,
    shards: ON_SHARD_0,
    subscription: "active",
    limits: { daily: 1_000, monthly: 10_000, deliveryRatePerMinute: 0, requestsPerSecond: 1_000 },
    labelCaps: {
      tagsPerHour: 100,
      topicPerHour: 100,
      campaignPerHour: 100,
      campaignPer72Hours: 100,
    },
    eventRetentionDays: 30,
    contentDays: null,
    topicNames: null,
    ipPools: ["receipts"],
    courier: null,
    region: null,
    firstMail: UNNOTED_FIRST_MAIL,
    startingCredits: 0,
    changedAt: 0,
  };
  const body: FixtureSender["body"] = (members) => ({
    from: `Shop <shop@${domain.name}>`,
    to: ["ann@example.org"],
    subject: "Hello",
    text: "Hi",
    ...members,
  });
  const sender: FixtureSender = {
    team: changed(usual, change),
    domain,
    body,
    send: (members, options) => send(sender, body(members), options),
  };
  return sender;
}

function changed(team: Team, { limits, labelCaps, ...change }: TeamChange): Team {
  return {
    ...team,
    ...change,
    limits: { ...team.limits, ...limits },
    labelCaps: { ...team.labelCaps, ...labelCaps },
  };
}

export async function insertDomain(
  teamId: string,
  domain: { readonly id: string; readonly name: string },
  status: string,
): Promise<void> {
  await coreWith(bindings, teamId)
    .prepare(
      "INSERT INTO domains (id, team_id, name, status, target_label, published_record_ids, " +
        "tracking_status, created_at) VALUES (?, ?, ?, ?, ?, '[]', 'disabled', 0)",
    )
    .bind(domain.id, teamId, domain.name, status, crypto.randomUUID())
    .run();
}

/**
 * Returns the number of messages and jobs in the sender's ledger, and how much of the day's quota
 * is used.
 */
export async function usageOf(
  sender: FixtureSender,
): Promise<{ messages: number; jobs: number; dailyUsed: number }> {
  const { messages, jobs, dailyUsed } = await bindings.TEAM_LEDGER.getByName(sender.team.id).usage(
    Date.now(),
  );
  return { messages, jobs, dailyUsed };
}

/** Returns the ledger's row of an accepted message. */
export async function rowOf(
  sender: FixtureSender,
  id: string,
): Promise<{ content: StoredContent | null; contentKey: string | null; meta: string }> {
  const { content, content_key, meta } = await runInDurableObject(
    bindings.TEAM_LEDGER.getByName(sender.team.id),
    (_, { storage }) =>
      storage.sql
        .exec<{ content: string | ArrayBuffer | null; content_key: string | null; meta: string }>(
          "SELECT coalesce(ledger.content, large_content.content) AS content, content_key, meta " +
            "FROM ledger LEFT JOIN large_content USING (seq) WHERE id = ?",
          id,
        )
        .one(),
  );
  return {
    content: content instanceof ArrayBuffer ? new Uint8Array(content) : content,
    contentKey: content_key,
    meta,
  };
}

/**
 * Reads an accepted message's content from the ledger's row of the message. Fails if it is in R2.
 */
export async function contentOf(sender: FixtureSender, id: string): Promise<MessageContent> {
  const { content } = await rowOf(sender, id);
  if (content === null) throw new Error("the content is in R2");
  return decodeContent(content);
}

/**
 * Sends a body, and waits for deferred work. An object is sent as JSON, anything else unchanged.
 */
export async function send(
  sender: FixtureSender,
  body: Body,
  options: Options = {},
): Promise<Result> {
  return ask(acceptEmail, "/v1/email", sender, body, options);
}

/** Sends a body to POST /v1/email/batch. */
export async function sendBatch(
  sender: FixtureSender,
  body: Body,
  options: Options = {},
): Promise<Result> {
  return ask(acceptBatch, "/v1/email/batch", sender, body, options);
}

/** Sends frames to POST /gateway/message-bundles. Before each frame stands its length. */
export async function sendBundle(
  sender: FixtureSender,
  bundle: Uint8Array<ArrayBuffer>,
  options: Options = {},
): Promise<Result> {
  const handle = (request: ApiRequest) =>
    acceptBundle(sendContextOf(request), request.bytes, request.replyTo);
  return ask(handle, "/gateway/message-bundles", sender, bundle, options);
}

async function ask(
  handle: (request: ApiRequest) => Promise<HttpReply>,
  path: string,
  sender: FixtureSender,
  body: Body,
  options: Options,
): Promise<Result> {
  const deferred: Promise<unknown>[] = [];
  try {
    const reply = await handle({ ...requestOf(sender, body, options, deferred), path });
    return {
      kind: "reply",
      status: reply.status,
      body: reply.body ?? "",
      headers: reply.headers ?? {},
    };
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    return { kind: "thrown", refusal: error.refusal, headers: error.headers };
  } finally {
    await Promise.all(deferred);
  }
}

/** Returns the body of a response. Throws if the request was refused. */
export function textOf(result: Result): string {
  if (result.kind !== "reply") throw new Error(JSON.stringify(result));
  return result.body;
}

/** Returns the member `errors` of a refused send or batch. */
export function problemsOf(result: Result): Record<string, string[]> {
  return (JSON.parse(textOf(result)) as { error: { errors: Record<string, string[]> } }).error
    .errors;
}

/** Returns the id in a response with 202. Throws for any other response. */
export function acceptedId(result: Result): string {
  if (result.kind !== "reply" || result.status !== 202) throw new Error(JSON.stringify(result));
  return (JSON.parse(result.body) as { id: string }).id;
}

function requestOf(
  sender: FixtureSender,
  body: Body,
  options: Options,
  deferred: Promise<unknown>[],
): ApiRequest {
  const caller: Caller = {
    team: changed(sender.team, options.team ?? {}),
    key: {
      id: "key_x",
      name: "x",
      permissions: "send_only",
      allowedDomains: options.allowedDomains ?? null,
    },
    session: null,
  };
  return {
    env: { ...bindings, ...options.env },
    settings: settingsOf(bindings),
    caller,
    params: {},
    id: "",
    query: undefined,
    body: undefined,
    author: null,
    page: { limit: 20, after: null },
    bytes:
      body instanceof Uint8Array
        ? body
        : new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
    method: "POST",
    path: "/v1/email",
    requestId: "req_test",
    headers: new Headers(options.key === undefined ? {} : { "Idempotency-Key": options.key }),
    url: () => "https://api.postern.test/",
    location: () => ({}),
    now: options.now ?? Date.now(),
    defer: (work) => deferred.push(work),
    warnOfIgnored: () => undefined,
    warn: () => undefined,
    replyTo: (error) => errorReply(error, "req_test"),
    operationsOf: () => [],
  };
}
