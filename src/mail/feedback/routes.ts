// Where recipients and their mail servers answer: return-paths for the gateway
// (docs/gateway-protocol.md), and in a browser the unsubscribe page and the tracked links, which
// belong to no API and carry no credentials but their own token.
import { type Context, Hono } from "hono";
import { type ApiRequest, type Endpoint, endpoint, type HttpReply } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { refuse } from "../../refusal.ts";
import { isTrackingHost } from "../../resources/domains/store.ts";
import { visit } from "./track-visit.ts";
import { receiveFeedback, receiveReport, recipientOf } from "./inbound.ts";
import { hasMailbox } from "./mailboxes.ts";
import { PAGE_HEADERS, trackingHostPage, unknownLinkPage } from "./recipient-page.ts";
import { type PageWords, wordsFor } from "./page-words.ts";
import { PIXEL } from "./pixel.ts";
import { isOneClick, readUnsubscribe, unsubscribe } from "./unsubscribe.ts";
import { unsubscribedPage, unsubscribePage } from "./unsubscribe-page.ts";

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

async function takeReport({ env, params, bytes, headers, now }: ApiRequest): Promise<HttpReply> {
  const receipt = await receiveReport(
    env,
    params.token ?? "",
    bytes,
    now,
    headers.get("X-Null-Sender") === "true",
  );
  if (receipt.kind === "unknown") throw refuse("not_found");
  if (receipt.kind === "too_large") throw refuse("payload_too_large");
  if (receipt.kind === "refused")
    throw refuse("invalid", { errors: { message: [receipt.problem] } });
  return { status: 202 };
}

type Visited = Context<{ Bindings: Env; Variables: { now: number; requestId: string } }>;

/** Where a reader of the service's own root is led. */
const REFERENCE = "/docs";

/** Cached nowhere, since each request is news. */
const UNCACHED = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

export const recipientPages = new Hono<{
  Bindings: Env;
  Variables: { now: number; requestId: string };
}>()
  .get("/u/:token", async (c) => {
    const ref = await readUnsubscribe(c.env, c.req.param("token"));
    return ref
      ? drawn(c, 200, (words) => unsubscribePage(ref, words))
      : drawn(c, 404, unknownLinkPage);
  })
  .post("/u/:token", async (c) => {
    const token = c.req.param("token");
    const isAsked = await isOneClick(c.req.raw);
    const ref = await (isAsked
      ? unsubscribe(c.env, token, c.get("now"))
      : readUnsubscribe(c.env, token));
    if (!ref) return drawn(c, 404, unknownLinkPage);
    return isAsked
      ? drawn(c, 200, (words) => unsubscribedPage(ref, words))
      : drawn(c, 400, (words) => unsubscribePage(ref, words, true));
  })
  .get("/c/:token", async (c) => {
    const ref = await visited(c, "c", c.req.param("token"));
    return ref
      ? c.body(null, 302, { ...UNCACHED, Location: ref.url })
      : drawn(c, 404, unknownLinkPage);
  })
  .get("/o/:token", async (c) => {
    const ref = await visited(c, "o", c.req.param("token"));
    return ref
      ? c.body(PIXEL, 200, { ...UNCACHED, "Content-Type": "image/gif" })
      : drawn(c, 404, unknownLinkPage);
  })
  .get("/", async (c) => {
    const host = hostOf(c);
    if (!(await isTrackingHost(c.env.DB, host))) return c.redirect(REFERENCE);
    return c.html(trackingHostPage(host), 200, PAGE_HEADERS);
  })
  .all("/u/:token", () => Promise.reject(refuse("method_not_allowed", { allow: ["GET", "POST"] })))
  .all("/c/:token", () => Promise.reject(refuse("method_not_allowed", { allow: ["GET"] })))
  .all("/o/:token", () => Promise.reject(refuse("method_not_allowed", { allow: ["GET"] })));

/** A page in the visitor's language. */
function drawn(
  c: Visited,
  status: 200 | 400 | 404,
  draw: (words: PageWords) => string,
): Response | Promise<Response> {
  const words = wordsFor(c.req.header("Accept-Language"));
  return c.html(draw(words), status, {
    ...PAGE_HEADERS,
    "Content-Language": words.language,
    Vary: "Accept-Language",
  });
}

function visited(c: Visited, kind: "c" | "o", token: string) {
  const request = {
    kind,
    token,
    host: hostOf(c),
    method: c.req.method,
    headers: c.req.raw.headers,
    now: c.get("now"),
  };
  return visit(c.env, request, later(c));
}

function hostOf(c: Visited): string {
  return new URL(c.req.url).hostname;
}

/** Work that goes on after the answer: nobody is there any more to be told that it failed. */
function later(c: Visited): (work: Promise<void>) => void {
  return (work) =>
    c.executionCtx.waitUntil(
      work.catch((error: unknown) =>
        logError("feedback_failed", error, { request_id: c.get("requestId") }),
      ),
    );
}
