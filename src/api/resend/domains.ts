// Resend's endpoints of sending domains, translated to Postern's (docs/from-resend.md §Domains).
import { describeIssue } from "../../lib/issue-messages.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import { refuse } from "../../refusal.ts";
import { UpdateDomain } from "../../resources/domains/wire.ts";
import { bareId, idSegment, ownId } from "./bare-ids.ts";
import { type OwnDomain, toListedDomain, toResendDomain } from "./domain-shape.ts";
import { serveList } from "./lists.ts";
import { type Ignore, membersGiven, type OwnApi, type ResendEndpoint } from "./resend-endpoint.ts";

const PATH = "/v1/domains";
/** The label of the tracking host, for a request that enables tracking but names no subdomain. */
const TRACKING_SUBDOMAIN = "links";

const MEMBERS: ReadonlySet<string> = new Set([
  "name",
  "open_tracking",
  "click_tracking",
  "tracking_subdomain",
]);
const NAMES = {
  "tracking.subdomain": "tracking_subdomain",
  "tracking.opens_enabled": "open_tracking",
  "tracking.clicks_enabled": "click_tracking",
} as const;

export const domainEndpoints: readonly ResendEndpoint[] = [
  {
    method: "GET",
    path: "/domains",
    handle: (request, own) =>
      serveList<OwnDomain>(request, own, {
        path: PATH,
        find: (id) => own.askUnless(404, { method: "GET", path: pathOf(id) }),
        present: toListedDomain,
      }),
  },
  {
    method: "POST",
    path: "/domains",
    status: 201,
    memberNames: NAMES,
    async handle({ body }, own) {
      const { own: tracking, rest } = readTracking(body, TRACKING_SUBDOMAIN, own.ignore);
      requireTracking(tracking);
      const domain = await own.ask<OwnDomain>({ method: "POST", path: PATH, body: rest });
      return toResendDomain(tracking ? await track(own, domain.id, { tracking }) : domain);
    },
  },
  {
    method: "GET",
    path: "/domains/:id",
    async handle({ params }, own) {
      return toResendDomain(
        await own.ask<OwnDomain>({ method: "GET", path: pathOf(params["id"]) }),
      );
    },
  },
  {
    method: "PATCH",
    path: "/domains/:id",
    memberNames: NAMES,
    async handle({ params, body }, own) {
      const domain = await own.ask<OwnDomain>({ method: "GET", path: pathOf(params["id"]) });
      const { own: tracking = {}, rest } = readTracking(
        body,
        domain.tracking.subdomain ?? TRACKING_SUBDOMAIN,
        own.ignore,
      );
      const { id } = await track(own, domain.id, isJsonObject(rest) ? { ...rest, tracking } : rest);
      return { object: "domain", id: bareId(id) };
    },
  },
  {
    method: "DELETE",
    path: "/domains/:id",
    async handle({ params }, own) {
      const { id = "" } = params;
      await own.ask({ method: "DELETE", path: pathOf(id) });
      return { object: "domain", id: bareId(ownId("domain", id)), deleted: true };
    },
  },
  {
    method: "POST",
    path: "/domains/:id/verify",
    async handle({ params }, own) {
      const { id } = await own.ask<OwnDomain>({
        method: "POST",
        path: `${pathOf(params["id"])}/verify`,
      });
      return { object: "domain", id: bareId(id) };
    },
  },
];

function pathOf(id: string | undefined): string {
  return `${PATH}/${idSegment("domain", id)}`;
}

function track(own: OwnApi, id: string, body: unknown): Promise<OwnDomain> {
  return own.ask({ method: "PATCH", path: pathOf(id), body });
}

/**
 * Splits a body into the tracking members (`own`) and its other members. Without tracking members,
 * `own` is absent.
 */
function readTracking(
  body: unknown,
  subdomain: string,
  ignore: Ignore,
): { readonly own?: JsonObject; readonly rest: unknown } {
  if (!isJsonObject(body)) return { rest: body };
  const {
    open_tracking: opens,
    click_tracking: clicks,
    tracking_subdomain: label,
    ...rest
  } = membersGiven(body, MEMBERS, ignore);
  const host = label ?? (opens === true || clicks === true ? subdomain : undefined);
  const own = {
    ...(opens !== undefined && { opens_enabled: opens }),
    ...(clicks !== undefined && { clicks_enabled: clicks }),
    ...(host !== undefined && { subdomain: host }),
  };
  return { rest, ...(Object.keys(own).length > 0 && { own }) };
}

/**
 * Validates tracking before the domain is created, because a domain that was created stays if a
 * later step fails.
 */
function requireTracking(tracking: JsonObject | undefined): void {
  const parsed = UpdateDomain.safeParse({ tracking: tracking ?? {} }, { error: describeIssue });
  if (parsed.success) return;
  throw refuse("invalid", {
    errors: Object.fromEntries(
      parsed.error.issues.map(({ path, message }) => [path.join("."), [message]]),
    ),
  });
}
