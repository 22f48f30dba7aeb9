// Serves /v1/domains, a team's sending domains (contract.md §Domains). An id that the team does not
// have gets 404, even when it is malformed.
import { coreOf } from "../../db/client.ts";
import { type ApiRequest, type Endpoint, endpoint, json, listRows } from "../../endpoint.ts";
import type { CourierName } from "../../settings.ts";
import { courierFor } from "../team-settings/courier-choice.ts";
import { createDomain, deleteDomain } from "./provisioning.ts";
import { DomainDns, toDomainDns } from "./dns-view-json.ts";
import { viewDns } from "./dns-view.ts";
import { getDomain, listDomains } from "./store.ts";
import { changeTracking } from "./tracking.ts";
import { verifyDomain } from "./verify.ts";
import { CreateDomain, Domain, toDomain, toTrackingChange, UpdateDomain } from "./wire.ts";

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
    responses: { 201: Domain },
    async handle(request) {
      const { env, settings, body, now } = request;
      const domain = await createDomain(env, settings, coreOf(request), body.name, now);
      return json(201, toDomain(domain, settings.serviceDomain, courierOf(request)));
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/domains/:id",
    summary: "Get a sending domain",
    permission: "full",
    responses: { 200: Domain },
    async handle(request) {
      const domain = await getDomain(coreOf(request), request.id);
      return json(200, toDomain(domain, request.settings.serviceDomain, courierOf(request)));
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
    responses: { 200: Domain },
    async handle(request) {
      const domain = await changeTracking(
        coreOf(request),
        request.id,
        toTrackingChange(request.body),
      );
      return json(200, toDomain(domain, request.settings.serviceDomain, courierOf(request)));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/domains/:id",
    summary: "Delete a sending domain and its DKIM keys",
    permission: "full",
    responses: { 204: null },
    async handle(request) {
      await deleteDomain(request.env, coreOf(request), request.id);
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/domains/:id/verify",
    summary: "Check a sending domain's records",
    description:
      "Always answers 200: `status`, `verification_failure` and `tracking` hold the result. " +
      "You may poll this endpoint.",
    permission: "full",
    responses: { 200: Domain },
    async handle(request) {
      const { settings, now } = request;
      const courier = courierOf(request);
      const domain = await verifyDomain(settings, courier, coreOf(request), request.id, now);
      return json(200, toDomain(domain, settings.serviceDomain, courier));
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

/** Returns the courier that carries the mail of the caller's team. */
function courierOf({ settings, caller }: Pick<ApiRequest, "settings" | "caller">): CourierName {
  return courierFor(caller.team.courier, settings);
}
