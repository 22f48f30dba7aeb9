// Mounts every endpoint of the table behind the same steps, in the order of contract.md §Order of
// checks. An unknown path gets 404 and a wrong method gets 405, in the envelope of all errors.
import { type Context, type Handler, Hono } from "hono";
import { type ApiRequest, type Endpoint, type HttpReply, takesBody } from "../endpoint.ts";
import { emailEndpoints, sendAgainEndpoints, submissionEndpoints } from "../mail/accept/routes.ts";
import { emailCheckEndpoints } from "../mail/check/routes.ts";
import { previewEndpoints } from "../mail/accept/preview/routes.ts";
import { postmasterEndpoints } from "../mail/deliver/routes.ts";
import { recipientPages, returnPathEndpoints } from "../mail/feedback/routes.ts";
import { contentEndpoints, fileLinks } from "../mail/content/routes.ts";
import { replyEndpoints, replyFiles } from "../mail/feedback/replies/routes.ts";
import { recipientEndpoints } from "../mail/lookup/recipients/routes.ts";
import { lookupEndpoints } from "../mail/lookup/routes.ts";
import { scheduleEndpoints } from "../mail/schedule/routes.ts";
import { metricsEndpoints } from "../resources/metrics/routes.ts";
import { REQUEST_BODY_BYTES } from "../limits.ts";
import type { CallerLocation } from "../regions.ts";
import { RefusalError, refuse } from "../refusal.ts";
import { apiKeyEndpoints } from "../resources/api-keys/routes.ts";
import { deadLetterEndpoints } from "../resources/dead-letters/routes.ts";
import { deliverabilityEndpoints } from "../resources/deliverability/routes.ts";
import { auditEndpoints } from "../resources/audit/routes.ts";
import { attentionEndpoints } from "../resources/attention/routes.ts";
import { checkEndpoints } from "../resources/checks/routes.ts";
import { deploymentEndpoints } from "../resources/deployment/routes.ts";
import { domainEndpoints } from "../resources/domains/routes.ts";
import { eventEndpoints } from "../resources/events/routes.ts";
import { shardEndpoints } from "../resources/shards/routes.ts";
import { identityEndpoints } from "../resources/identity/routes.ts";
import { requestEndpoints } from "../resources/requests/routes.ts";
import { statsEndpoints } from "../resources/stats/routes.ts";
import { suppressionEndpoints } from "../resources/suppressions/routes.ts";
import { teamSettingsEndpoints } from "../resources/team/routes.ts";
import { teamEndpoints } from "../resources/teams/routes.ts";
import { templateEndpoints } from "../resources/templates/routes.ts";
import { versionEndpoints } from "../resources/templates/versions/routes.ts";
import { usageEndpoints } from "../resources/usage/routes.ts";
import { webhookEndpoints } from "../resources/webhooks/routes.ts";
import {
  authenticate,
  authenticateForm,
  authenticateGateway,
  authenticateKey,
  authenticateOperator,
  authenticateConsoleSession,
} from "./authenticate.ts";
import { largestBodyOf } from "./body-limit.ts";
import {
  isNavigation,
  refuseForeignOrigin,
  requireOwnForm,
  requireOwnPage,
} from "./console/own-origin.ts";
import { memberEndpoints } from "./console/members/routes.ts";
import { consoleEndpoints } from "./console/routes.ts";
import { FORM_BYTES, servePreview } from "./console/preview-page.ts";
import { serveConsole } from "./console/serve-console.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";
import { errorReply, JSON_TYPE, renderError } from "./errors.ts";
import { FirstMatchRouter } from "./first-match-router.ts";
import { health } from "./health.ts";
import { serveLlmsText } from "./llms-text.ts";
import { refuseLargeMessage, serveMcp } from "./mcp/serve-mcp.ts";
import { serveOpenApi } from "./openapi.ts";
import { nearestEndpoint } from "./nearest-endpoint.ts";
import { warnOfMembers, warnOfNames } from "./warnings.ts";
import { readPage, renderList } from "./pagination.ts";
import { operationsOf, permit, refuseSpentRate, takeRate } from "./permit.ts";
import { authorOf } from "./request-author.ts";
import { mountResend } from "./resend/mount-resend.ts";
import { REFERENCE_FILES, serveReference, serveReferenceFile } from "./reference.ts";
import { sentOf } from "./translated-request.ts";
import { settingsOf } from "../settings.ts";
import { validators } from "./validators.ts";
import { wrapEndpoint, wrapHandler } from "./middleware.ts";

export const endpoints: readonly Endpoint[] = [
  ...emailEndpoints,
  ...emailCheckEndpoints,
  // `/v1/email/campaigns` comes before the look-up endpoints, because their `:id` would match it.
  ...scheduleEndpoints,
  ...lookupEndpoints,
  ...contentEndpoints,
  ...sendAgainEndpoints,
  ...identityEndpoints,
  ...teamSettingsEndpoints,
  ...apiKeyEndpoints,
  ...templateEndpoints,
  ...versionEndpoints,
  ...previewEndpoints,
  ...domainEndpoints,
  ...suppressionEndpoints,
  ...recipientEndpoints,
  ...eventEndpoints,
  ...statsEndpoints,
  ...deliverabilityEndpoints,
  ...usageEndpoints,
  ...requestEndpoints,
  ...webhookEndpoints,
  ...replyEndpoints,
  ...teamEndpoints,
  ...shardEndpoints,
  ...deadLetterEndpoints,
  ...metricsEndpoints,
  ...attentionEndpoints,
  ...checkEndpoints,
  ...deploymentEndpoints,
  ...consoleEndpoints,
  ...memberEndpoints,
  ...auditEndpoints,
  ...submissionEndpoints,
  ...returnPathEndpoints,
  ...postmasterEndpoints,
];

/**
 * The limits of a request to an unknown path. The path may be a misspelled send. Its body may be as
 * large as a send's, so that the client gets the 404 with its hint and not a 413. The worker counts
 * a body of unknown length, but does not keep it.
 */
const ASTRAY = { largest: REQUEST_BODY_BYTES, judges: [] };

export const app = new Hono<ApiContext>({ router: new FirstMatchRouter() });

app.get(
  "/healthz",
  wrapHandler((c) => health(c.env, c.get("now"))),
);
app.get("/openapi.json", wrapHandler(serveOpenApi()));
app.get("/docs", wrapHandler(serveReference));
app.get("/llms.txt", wrapHandler(serveLlmsText(endpoints)));
app.get("/console", wrapHandler(serveConsole));
app.post(
  "/console/preview",
  wrapHandler(servePreview, {
    largest: FORM_BYTES,
    judges: [requireOwnForm(noSuchEndpoint), authenticateForm],
  }),
);
for (const file of REFERENCE_FILES) app.get(file, wrapHandler(serveReferenceFile));
app.post(
  "/mcp",
  wrapEndpoint(
    {
      largest: REQUEST_BODY_BYTES,
      judges: [
        refuseForeignOrigin,
        authenticateKey,
        permit({ method: "POST", path: "/mcp", permission: "send" }),
        refuseLargeMessage,
      ],
      readsBody: true,
      steps: [],
    },
    serveMcp((request, c) => app.fetch(request, c.env, c.executionCtx)),
  ),
);
for (const { method, path, handler } of [
  ...recipientPages.routes,
  ...fileLinks.routes,
  ...replyFiles.routes,
])
  app.on(method, path, wrapHandler(handler));
mountResend(app);
for (const isTemplate of [false, true]) {
  // Paths without parameters are mounted first, for every method. Otherwise `/v1/email/batch` would
  // match `/v1/email/:id`.
  for (const endpoint of endpoints.filter(({ path }) => path.includes(":") === isTemplate))
    app.on(endpoint.method, endpoint.path, handlerOf(endpoint));
  for (const [path, allow] of methodsByPath())
    if (path.includes(":") === isTemplate)
      app.all(
        path,
        wrapHandler((c) => Promise.reject(wrongMethod(path, allow, c)), ASTRAY),
      );
}
app.get("/console/*", wrapHandler(serveConsole));
app.all(
  "/console/*",
  wrapHandler((c) => Promise.reject(wrongMethod(c.req.path, ["GET"], c))),
);
app.all(
  "*",
  wrapHandler((c) => Promise.reject(noSuchEndpoint(c)), ASTRAY),
);
app.notFound((c) => renderError(noSuchEndpoint(c), c.get("requestId")));

/**
 * Returns the endpoint's handler. A page of the console may have the same path as an endpoint, such
 * as `/console/members`. A browser that opens this path gets the page.
 */
function handlerOf(endpoint: Endpoint): Handler<ApiContext> {
  const own = wrapEndpoint(checksOf(endpoint), (c) => serve(endpoint, c), typeOf(endpoint));
  if (endpoint.permission !== "owner" || endpoint.method !== "GET") return own;
  const page = wrapHandler(serveConsole);
  return (c, next) => (isNavigation(c.req.raw.headers) ? page(c, next) : own(c, next));
}

function checksOf(endpoint: Endpoint): Parameters<typeof wrapEndpoint>[0] {
  const judges: RequestStep[] = endpoint.internal ? [authenticateGateway(noSuchEndpoint)] : [];
  if (endpoint.permission === "operator") judges.push(authenticateOperator(noSuchEndpoint));
  if (endpoint.permission === "console" && endpoint.method !== "GET") judges.push(requireOwnPage);
  if (isForKeys(endpoint)) judges.push(authenticate, permit(endpoint));
  if (endpoint.permission === "owner") {
    if (endpoint.method !== "GET") judges.push(requireOwnPage);
    judges.push(authenticateConsoleSession, permit(endpoint));
  }
  const isRated = endpoint.permission === "owner" || (isForKeys(endpoint) && !endpoint.internal);
  if (isRated) judges.push(refuseSpentRate);
  const steps = [
    ...(isRated && !endpoint.admitsItself ? [takeRate] : []),
    ...validators(endpoint),
    ...(endpoint.paginated ? [readPage(endpoint)] : []),
  ];
  return { largest: largestBodyOf(endpoint), judges, readsBody: takesBody(endpoint), steps };
}

function isForKeys({ permission }: Endpoint): boolean {
  return permission === "full" || permission === "send";
}

async function serve(endpoint: Endpoint, c: Context<ApiContext>): Promise<HttpReply> {
  const settings = settingsOf(c.env);
  const request: ApiRequest = {
    env: c.env,
    settings,
    caller: c.get("caller"),
    params: c.req.param(),
    id: c.req.param("id") ?? "",
    query: endpoint.query ? c.req.valid("query" as never) : undefined,
    body: endpoint.body && !endpoint.admitsItself ? c.req.valid("json" as never) : undefined,
    author: authorOf(endpoint, c),
    page: c.get("page"),
    bytes:
      endpoint.admitsItself || (endpoint.accepts && !endpoint.streams)
        ? new Uint8Array(await c.req.arrayBuffer())
        : NO_BYTES,
    stream: endpoint.streams ? (c.req.raw.body ?? undefined) : undefined,
    method: c.req.method,
    path: c.req.path,
    sent: sentOf(c.req.raw),
    requestId: c.get("requestId"),
    headers: c.get("headers"),
    url: () => c.req.url,
    location: () => locationOf(c),
    now: c.get("now"),
    defer: (work) => c.executionCtx.waitUntil(work),
    warnOfIgnored: (body) => endpoint.body && warnOfMembers(c, endpoint.body, body),
    warn: (header, names) => warnOfNames(c, header, names),
    replyTo: (error) => errorReply(error, c.get("requestId")),
    operationsOf: (caller) => operationsOf(endpoints, caller, settings),
  };
  let reply: HttpReply;
  try {
    reply = await endpoint.handle(request);
  } catch (error) {
    // Only the call to the ledger can accept a send, and that call throws a RefusalError if its
    // outcome is unknown. After any other error, the ledger has accepted nothing.
    if (endpoint.admitsItself !== true || error instanceof RefusalError) throw error;
    throw new RefusalError({ code: "pipeline_unavailable" }, {}, error);
  }
  return reply.list
    ? renderList(settings.signingKey, endpoint, c.get("caller")?.team.id, reply.list)
    : reply;
}

/**
 * Returns where the request comes from. The platform says so in `cf`; the local runtime and tests
 * may not set `cf`.
 */
function locationOf(c: Context<ApiContext>): CallerLocation {
  return (c.get("arrived").cf as CallerLocation | undefined) ?? {};
}

const NO_BYTES = new Uint8Array();

function typeOf({ produces }: Endpoint): string {
  return produces?.startsWith("text/") ? `${produces}; charset=utf-8` : (produces ?? JSON_TYPE);
}

/**
 * Makes the refusal of a wrong method. The operator's paths get 404 for every method if no
 * ADMIN_TOKEN is configured (contract.md §Operator API).
 */
function wrongMethod(path: string, allow: readonly string[], c: Context<ApiContext>): RefusalError {
  return isOperators(path) && !hasOperator(c)
    ? noSuchEndpoint(c)
    : refuse("method_not_allowed", { allow });
}

/**
 * Makes the 404 of an unknown path. Its hint names an operator's endpoint only to requests below
 * /admin. It never names an endpoint of the gateway.
 */
function noSuchEndpoint(c: Context<ApiContext>): RefusalError {
  const { method, path, url } = c.req;
  const places = [...methodsByPath()].flatMap(([place, methods]) =>
    methods.map((one) => ({ method: one, path: place })),
  );
  const named = places.filter((place) => isOperators(place.path) === isOperators(path));
  return refuse("no_such_endpoint", {
    method,
    // Hono's `path` is decoded, but the error quotes the path as the client sent it.
    path: new URL(url).pathname,
    nearest:
      isOperators(path) && !hasOperator(c) ? undefined : nearestEndpoint(named, method, path),
  });
}

function isOperators(path: string): boolean {
  return path.startsWith("/admin");
}

function hasOperator({ env }: Context<ApiContext>): boolean {
  return settingsOf(env).adminToken !== null;
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map(
    ["/healthz", "/openapi.json", "/docs", "/llms.txt", "/console", ...REFERENCE_FILES].map(
      (path) => [path, ["GET"]],
    ),
  );
  methods.set("/mcp", ["POST"]);
  // Internal paths are left out, so that they look like paths that do not exist.
  for (const { method, path } of endpoints.filter(({ internal }) => !internal))
    methods.set(path, [...(methods.get(path) ?? []), method]);
  return methods;
}
