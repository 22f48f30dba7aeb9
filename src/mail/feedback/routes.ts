// Declares the endpoints for recipients and their mail servers. The gateway uses the endpoints
// below /gateway (docs/gateway-protocol.md). Browsers use the unsubscribe page and the tracked
// links. These links need no credentials except their own token, and are not part of the API.
import { Buffer } from "node:buffer";
import { type Context, Hono } from "hono";
import { type ApiRequest, type Endpoint, endpoint, type HttpReply } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { refuse } from "../../refusal.ts";
import { isTrackingHost } from "../../resources/domains/domain-lookups.ts";
import { answerProbe } from "../../resources/domains/tracking-hosts/host-probe.ts";
import { settingsOf } from "../../settings.ts";
import { REPLY_BYTES } from "../../limits.ts";
import { toSenderCheck, type SenderChecks } from "../../resources/replies/reply-records.ts";
import { judgeReplyAddress, receiveReply, type ReplyReceipt } from "./replies/receive-reply.ts";
import { readUnsubscribeToken } from "../unsubscribe-link.ts";
import { resolveVisit } from "./track-visit.ts";
import { type Receipt, receiveFeedback, receiveReport, recipientOf } from "./inbound.ts";
import { hasMailbox } from "./mailboxes.ts";
import { PAGE_HEADERS, renderTrackingHostPage, renderUnknownLinkPage } from "./recipient-page.ts";
import { type PageTexts, textsFor } from "./page-texts.ts";
import { readWish, subscribeAgain, unsubscribe, withTopicName } from "./unsubscribe.ts";
import {
  renderSubscribedPage,
  renderUnsubscribedPage,
  renderUnsubscribePage,
} from "./unsubscribe-page.ts";

export const returnPathEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/gateway/return-paths/:token",
    summary: "Whether a token is a genuine return-path",
    permission: "gateway",
    internal: true,
    responses: { 204: null },
    async handle({ env, params, now }) {
      if (!(await recipientOf(env, params.token ?? "", now))) throw refuse("not_found");
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/gateway/inbound/:token",
    summary: "Take a message that arrived at a return-path",
    permission: "gateway",
    internal: true,
    accepts: "application/octet-stream",
    responses: { 202: null },
    handle: takeReport,
  }),
  endpoint({
    method: "POST",
    path: "/gateway/reply-addresses/:token",
    summary: "Whether a token is a genuine reply address that takes mail",
    permission: "gateway",
    internal: true,
    responses: { 204: null },
    async handle({ env, params, now }) {
      const { kind } = await judgeReplyAddress(env, params.token ?? "", 0, now);
      if (kind === "unknown") throw refuse("not_found");
      if (kind === "full") throw refuse("rate_limited");
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/gateway/replies/:token",
    summary: "Take a message that arrived at a reply address",
    permission: "gateway",
    internal: true,
    accepts: "application/octet-stream",
    streams: true,
    largestBody: REPLY_BYTES,
    responses: { 202: null },
    handle: takeReply,
  }),
  endpoint({
    method: "POST",
    path: "/gateway/roles/:role/:host",
    summary: "Whether an address is one of the service's own mailboxes",
    permission: "gateway",
    internal: true,
    responses: { 204: null },
    async handle({ settings, params: { role = "", host = "" } }) {
      if (!hasMailbox(role, host.toLowerCase(), settings.serviceDomain)) throw refuse("not_found");
      return Promise.resolve({ status: 204 });
    },
  }),
  endpoint({
    method: "POST",
    path: "/gateway/feedback",
    summary: "Take a message that arrived by a feedback loop",
    permission: "gateway",
    internal: true,
    accepts: "application/octet-stream",
    responses: { 202: null },
    async handle({ env, bytes, now }) {
      if ((await receiveFeedback(env, bytes, now)) === "too_large")
        throw refuse("payload_too_large");
      return { status: 202 };
    },
  }),
];

/**
 * Reads the gateway's results for the sender: `spf=pass dkim=none dmarc=fail`. A result may be
 * missing.
 */
function verdictsIn(headers: Headers): SenderChecks {
  const judged = new Map(
    (headers.get("X-Verdicts") ?? "").split(" ").map((entry) => {
      const [method = "", verdict = ""] = entry.split("=");
      return [method, toSenderCheck(verdict)] as const;
    }),
  );
  const [spf = null, dkim = null, dmarc = null] = ["spf", "dkim", "dmarc"].map((method) =>
    judged.get(method),
  );
  return { spf, dkim, dmarc };
}

async function takeReply(request: ApiRequest): Promise<HttpReply> {
  const { env, params, headers, stream, now } = request;
  const length = headers.get("Content-Length");
  // A body of unknown length has been read completely to count it, so it is already in memory.
  const whole = length === null ? await new Response(stream).arrayBuffer() : null;
  const mail = {
    stream: (whole ? new Blob([whole]).stream() : stream) ?? new Blob().stream(),
    bytes: whole?.byteLength ?? Number(length),
    address: decodeURI(headers.get("X-Recipient") ?? ""),
    isSenderNull: headers.get("X-Null-Sender") === "true",
    verdicts: verdictsIn(headers),
  };
  const receipt = await receiveReply(env, params.token ?? "", mail, now);
  return replyTo(receipt);
}

async function takeReport({ env, params, bytes, headers, now }: ApiRequest): Promise<HttpReply> {
  const receipt = await receiveReport(
    env,
    params.token ?? "",
    bytes,
    now,
    headers.get("X-Null-Sender") === "true",
  );
  return replyTo(receipt);
}

/** Replies 202 for mail that was taken. Throws a refusal for all other mail. */
function replyTo(receipt: Receipt | ReplyReceipt): HttpReply {
  if (receipt.kind === "unknown") throw refuse("not_found");
  if (receipt.kind === "full") throw refuse("rate_limited");
  if (receipt.kind === "too_large") throw refuse("payload_too_large");
  if (receipt.kind === "refused")
    throw refuse("invalid", { errors: { message: [receipt.problem] } });
  return { status: 202 };
}

interface PageEnv {
  readonly Bindings: Env;
  readonly Variables: {
    readonly now: number;
    readonly requestId: string;
    /**
     * Reads the request's body into memory. A route must call this after it checked the link, and
     * before it uses the body.
     */
    readonly bufferBody: () => void | Promise<void>;
  };
}

type PageContext = Context<PageEnv>;

/** The path to which a visit to the root of the service's own host is redirected. */
const REFERENCE = "/docs";

/** Headers that forbid caching, because each request may be an event, such as an open. */
const UNCACHED = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

/** One transparent pixel as a GIF. Loading it shows that the message was opened. */
const PIXEL = new Uint8Array(
  Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
);

export const recipientPages = new Hono<PageEnv>()
  .get("/u/:token", async (c) => {
    const ref = await readUnsubscribeToken(settingsOf(c.env).signingKey, c.req.param("token"));
    if (!ref) return renderLocalized(c, 404, renderUnknownLinkPage);
    const named = await withTopicName(c.env, ref, c.get("now"));
    return renderLocalized(c, 200, (texts) => renderUnsubscribePage(named, texts));
  })
  .post("/u/:token", async (c) => {
    const ref = await readUnsubscribeToken(settingsOf(c.env).signingKey, c.req.param("token"));
    if (!ref) return renderLocalized(c, 404, renderUnknownLinkPage);
    await c.get("bufferBody")();
    const [now, wish] = [c.get("now"), await readWish(c.req.raw)];
    const isBack = wish === "undo" && (await subscribeAgain(c.env, ref, now));
    if (wish === "unsubscribe") await unsubscribe(c.env, ref, now);
    const named = await withTopicName(c.env, ref, now);
    if (isBack) return renderLocalized(c, 200, (texts) => renderSubscribedPage(named, texts));
    return wish === "unsubscribe"
      ? renderLocalized(c, 200, (texts) => renderUnsubscribedPage(named, texts))
      : renderLocalized(c, 400, (texts) => renderUnsubscribePage(named, texts, true));
  })
  .get("/c/:token", async (c) => {
    const ref = await trackVisit(c, "c", c.req.param("token"));
    return ref
      ? c.body(null, 302, { ...UNCACHED, Location: ref.url })
      : renderLocalized(c, 404, renderUnknownLinkPage);
  })
  .get("/o/:token", async (c) => {
    const ref = await trackVisit(c, "o", c.req.param("token"));
    return ref
      ? c.body(PIXEL, 200, { ...UNCACHED, "Content-Type": "image/gif" })
      : renderLocalized(c, 404, renderUnknownLinkPage);
  })
  .get("/h/:token", async (c) => {
    const answer = await answerProbe(settingsOf(c.env).signingKey, hostOf(c), c.req.param("token"));
    return answer === null
      ? renderLocalized(c, 404, renderUnknownLinkPage)
      : c.text(answer, 200, UNCACHED);
  })
  .get("/", async (c) => {
    const host = hostOf(c);
    if (!(await isTrackingHost(c.env, host))) return c.redirect(REFERENCE);
    return c.html(renderTrackingHostPage(host), 200, PAGE_HEADERS);
  })
  .all("/u/:token", () => Promise.reject(refuse("method_not_allowed", { allow: ["GET", "POST"] })))
  .all("/c/:token", () => Promise.reject(refuse("method_not_allowed", { allow: ["GET"] })))
  .all("/h/:token", () => Promise.reject(refuse("method_not_allowed", { allow: ["GET"] })))
  .all("/o/:token", () => Promise.reject(refuse("method_not_allowed", { allow: ["GET"] })));

/** Renders a page in the visitor's language. */
function renderLocalized(
  c: PageContext,
  status: 200 | 400 | 404,
  render: (texts: PageTexts) => string,
): Response | Promise<Response> {
  const texts = textsFor(c.req.header("Accept-Language"));
  return c.html(render(texts), status, {
    ...PAGE_HEADERS,
    "Content-Language": texts.language,
    Vary: "Accept-Language",
  });
}

function trackVisit(c: PageContext, kind: "c" | "o", token: string) {
  const request = {
    kind,
    token,
    host: hostOf(c),
    method: c.req.method,
    headers: c.req.raw.headers,
    now: c.get("now"),
  };
  return resolveVisit(c.env, request, deferWork(c));
}

function hostOf(c: PageContext): string {
  return new URL(c.req.url).hostname;
}

/**
 * Runs work after the response. The work cannot change the response, so its failures are only
 * logged.
 */
function deferWork(c: PageContext): (work: Promise<void>) => void {
  return (work) =>
    c.executionCtx.waitUntil(
      work.catch((error: unknown) =>
        logError("feedback_failed", error, { request_id: c.get("requestId") }),
      ),
    );
}
