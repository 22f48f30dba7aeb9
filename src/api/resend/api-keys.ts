// Resend's endpoints of API keys, translated to Postern's (docs/from-resend.md §API keys).
import type * as z from "zod";
import { isJsonObject } from "../../lib/json.ts";
import { refuse } from "../../refusal.ts";
import type { ApiKey as OwnKey, ApiKeyWithSecret } from "../../resources/api-keys/wire.ts";
import { bareId, idSegment, ownId } from "./bare-ids.ts";
import type { OwnDomain } from "./domain-shape.ts";
import { serveList } from "./lists.ts";
import { membersGiven, type OwnApi, type ResendEndpoint } from "./resend-endpoint.ts";

type ApiKey = z.output<typeof OwnKey>;

const PATH = "/v1/api-keys";
const MEMBERS: ReadonlySet<string> = new Set([
  "name",
  "permission",
  "domain_id",
  "allowed_domains",
  "allowed_ips",
]);
/** The members that an update may have. */
const RENAMED: ReadonlySet<string> = new Set(["name"]);
const PERMISSIONS: Readonly<Record<string, ApiKey["permissions"]>> = {
  full_access: "full",
  sending_access: "send_only",
};

export const apiKeyEndpoints: readonly ResendEndpoint[] = [
  {
    method: "GET",
    path: "/api-keys",
    handle: (request, own) =>
      serveList<ApiKey>(request, own, {
        path: PATH,
        find: (id) => own.askUnless(404, { method: "GET", path: pathOf(id) }),
        present: ({ id, name, created_at, last_used_at }) => {
          return { id: bareId(id), name, created_at, last_used_at };
        },
      }),
  },
  {
    method: "POST",
    path: "/api-keys",
    status: 201,
    async handle({ body }, own) {
      const { id, key } = await own.ask<z.output<typeof ApiKeyWithSecret>>({
        method: "POST",
        path: PATH,
        body: isJsonObject(body)
          ? await toOwnKey(membersGiven(body, MEMBERS, own.ignore), own)
          : body,
      });
      return { id: bareId(id), token: key };
    },
  },
  {
    method: "PATCH",
    path: "/api-keys/:id",
    async handle({ params, body }, own) {
      const key = await own.ask<ApiKey>({ method: "GET", path: pathOf(params["id"]) });
      const { permissions, allowed_domains, allowed_ips } = key;
      const kept = { permissions, allowed_domains, allowed_ips };
      await own.ask({
        method: "PATCH",
        path: pathOf(key.id),
        body: isJsonObject(body) ? { ...membersGiven(body, RENAMED, own.ignore), ...kept } : body,
      });
      return { object: "api_key", id: bareId(key.id) };
    },
  },
  {
    method: "DELETE",
    path: "/api-keys/:id",
    async handle({ params }, own) {
      const { id = "" } = params;
      await own.ask({ method: "DELETE", path: pathOf(id) });
      return { object: "api_key", id: bareId(ownId("key", id)), deleted: true };
    },
  },
];

function pathOf(id: string | undefined): string {
  return `${PATH}/${idSegment("key", id)}`;
}

async function toOwnKey(
  { permission = "full_access", domain_id: domainId, ...same }: Readonly<Record<string, unknown>>,
  own: OwnApi,
): Promise<object> {
  const permissions = typeof permission === "string" ? PERMISSIONS[permission] : undefined;
  if (!permissions)
    throw refuse("invalid", {
      errors: { permission: ["must be one of: full_access, sending_access"] },
    });
  if (domainId === undefined) return { ...same, permissions };
  return { ...same, permissions, allowed_domains: [await nameOfDomain(domainId, own)] };
}

async function nameOfDomain(id: unknown, own: OwnApi): Promise<string> {
  const path = `/v1/domains/${idSegment("domain", typeof id === "string" ? id : "")}`;
  const domain =
    typeof id === "string" && id !== ""
      ? await own.askUnless<OwnDomain>(404, { method: "GET", path })
      : undefined;
  if (!domain)
    throw refuse("invalid", { errors: { domain_id: ["is not the id of a domain of the team"] } });
  return domain.name;
}
