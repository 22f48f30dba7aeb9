// Serves /v1/domains, a team's sending domains (contract.md §Domains). An id of no domain of the
// team gets 404, even if the id is malformed.
import type * as z from "zod";
import { coreOf } from "../../db/client.ts";
import {
  type ApiRequest,
  type Endpoint,
  endpoint,
  type HttpReply,
  json,
  listRows,
  type Team,
} from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { etagOf } from "../../lib/crypto/etag.ts";
import { requireMatch } from "../../write-if-match.ts";
import type { CourierName } from "../../settings.ts";
import { courierFor } from "../team-settings/courier-choice.ts";
import { createDomain, deleteDomain } from "./provisioning.ts";
import { DomainDns, toDomainDns } from "./dns-view-json.ts";
import { viewDns } from "./dns-view.ts";
import { getDomain, listDomains, type StoredDomain } from "./store.ts";
import { changeTracking } from "./tracking.ts";
import { verifyDomain } from "./verify.ts";
import {
  CreateDomain,
  Domain,
  toDomain,
  toSending,
  toTrackingChange,
  UpdateDomain,
} from "./wire.ts";
import { reachLedger, tellLedger } from "../team-settings/reach-ledger.ts";

export const domainEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/domains",
    summary: "List sending domains",
    permission: "full",
    paginated: true,
    responses: { 200: Domain },
    async handle(request) {
      const { page, settings } = request;
      return listRows(
        page,
        (limit, after) => listDomains(coreOf(request), limit, after),
        (domain) => toDomain(domain, settings.serviceDomain, courierOf(request)),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/domains",
    summary: "Add a sending domain",
    description:
      "Publish its `dns_records` unchanged, then verify the domain. Cloudflare publishes the " +
      "`courier_dns_records`, if there are any. A 503 means that nothing was created.",
    errors: [503],
    permission: "full",
    body: CreateDomain,
    audit: { store: "core", operation: "domain.create" },
    etag: "read",
    responses: { 201: Domain },
    async handle(request) {
      const { env, settings, body, now } = request;
      const domain = await createDomain(env, settings, coreOf(request), body.name, now);
      return show(request, domain, 201);
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/domains/:id",
    summary: "Get a sending domain",
    permission: "full",
    etag: "read",
    responses: { 200: Domain },
    async handle(request) {
      const { env, caller } = request;
      const domain = await getDomain(coreOf(request), request.id);
      return show(request, domain, 200, await readSending(env, caller.team, domain.name));
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/domains/:id",
    summary: "Change a sending domain's tracking",
    description:
      "Only the given members change. Changing a flag or the subdomain makes tracking " +
      "unverified; the domain itself stays verified.",
    permission: "full",
    body: UpdateDomain,
    audit: { store: "core", operation: "domain.update" },
    etag: "write",
    responses: { 200: Domain },
    async handle(request) {
      const domain = await changeTracking(
        coreOf(request),
        request.id,
        toTrackingChange(request.body),
        (before) => requireMatch(request, etagOfDomain(before)),
      );
      await tellLedger(request.env, request.caller.team);
      return show(request, domain);
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/domains/:id",
    summary: "Delete a sending domain and its DKIM keys",
    permission: "full",
    audit: { store: "core", operation: "domain.delete" },
    etag: "write",
    responses: { 204: null },
    async handle(request) {
      const scope = coreOf(request);
      requireMatch(request, etagOfDomain(await getDomain(scope, request.id)));
      await deleteDomain(request.env, scope, request.caller.team, request.id);
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/domains/:id/verify",
    summary: "Check a sending domain's records",
    description:
      "Always answers 200: `status`, `verification_failure` and `tracking` hold the result. " +
      "With Cloudflare's Email Service, it may also start the domain's `courier_onboarding`. " +
      "You may poll this endpoint.",
    permission: "full",
    audit: { store: "core", operation: "domain.verify" },
    etag: "read",
    responses: { 200: Domain },
    async handle(request) {
      const { env, settings, now } = request;
      const courier = courierOf(request);
      const scope = coreOf(request);
      const domain = await verifyDomain({ env, settings, courier, scope, now }, request.id);
      if (domain.trackingHost !== null) await tellLedger(env, request.caller.team);
      return show(request, domain);
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/domains/:id/dns",
    summary: "See a sending domain in DNS now",
    description:
      "Looks up each record of the domain in DNS, and judges its SPF, DMARC, MTA-STS and " +
      "BIMI. Stores nothing; `POST /v1/domains/{id}/verify` does. A DNS failure gives a 200 " +
      "with `unknown`. You may poll this endpoint.",
    permission: "full",
    responses: { 200: DomainDns },
    async handle(request) {
      const { settings, now } = request;
      const domain = await getDomain(coreOf(request), request.id);
      const view = await viewDns(settings, courierOf(request), domain);
      return json(200, toDomainDns(view, domain.name, now));
    },
  }),
];

/**
 * Returns an empty object if the ledger does not answer, so that the response still has the
 * domain's other facts.
 */
async function readSending(
  env: Env,
  team: Team,
  name: string,
): Promise<Pick<z.output<typeof Domain>, "sending">> {
  try {
    const hold = await reachLedger(env, team, (ledger) => ledger.holdOf(name));
    return { sending: toSending(hold, name) };
  } catch (error) {
    logError("hold_unread", error, { team_id: team.id });
    return {};
  }
}

function show(
  request: ApiRequest,
  domain: StoredDomain,
  status = 200,
  sending: Partial<Awaited<ReturnType<typeof readSending>>> = {},
): HttpReply {
  const { serviceDomain } = request.settings;
  const shown = { ...toDomain(domain, serviceDomain, courierOf(request)), ...sending };
  return json(status, shown, { ETag: etagOfDomain(domain) });
}

/** Makes the ETag of the domain's settings. The results of checks do not change the ETag. */
function etagOfDomain({ opensEnabled, clicksEnabled, trackingSubdomain }: StoredDomain): string {
  return etagOf([opensEnabled, clicksEnabled, trackingSubdomain]);
}

function courierOf({ settings, caller }: Pick<ApiRequest, "settings" | "caller">): CourierName {
  return courierFor(caller.team.courier, settings);
}
