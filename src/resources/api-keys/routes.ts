// Serves /v1/api-keys, a team's keys with their permissions and restrictions (contract.md §API
// keys). A change takes effect at once in the isolate that made it, and within CREDENTIAL_CACHE_MS
// in all other isolates. A key with full permissions can delete every key of the team, even the
// last key with full permissions (docs/teams.md §A team's last full key).
import { coreOf } from "../../db/client.ts";
import { type Endpoint, endpoint, type HttpReply, json, listRows } from "../../endpoint.ts";
import { etagOf } from "../../lib/crypto/etag.ts";
import { writeIfMatch } from "../../write-if-match.ts";
import { forgetTeam } from "./credentials.ts";
import {
  type ApiKeyRow,
  createApiKey,
  getApiKey,
  type KeySettings,
  listApiKeys,
  removeApiKey,
  updateApiKey,
} from "./store.ts";
import { ApiKey, ApiKeySettings, ApiKeyWithSecret, toApiKey, toSettings } from "./wire.ts";

export const apiKeyEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/api-keys",
    summary: "List API keys",
    permission: "full",
    paginated: true,
    responses: { 200: ApiKey },
    async handle(request) {
      return listRows(
        request.page,
        (limit, after) => listApiKeys(coreOf(request), limit, after),
        toApiKey,
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/api-keys",
    summary: "Create an API key",
    description:
      "The secret is returned only once, in this response. A restriction limits this key, not " +
      "the person who holds it: a key with `full` permissions can make other keys without " +
      "restrictions. To confine a sender, give it a `send_only` key.",
    permission: "full",
    body: ApiKeySettings,
    audit: { store: "core", operation: "api_key.create" },
    etag: "read",
    responses: { 201: ApiKeyWithSecret },
    async handle(request) {
      const { body, now } = request;
      const { row, secret } = await createApiKey(coreOf(request), toSettings(body), now);
      return json(201, { ...toApiKey(row), key: secret }, { ETag: etagOfKey(row) });
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/api-keys/:id",
    summary: "Get an API key",
    permission: "full",
    etag: "read",
    responses: { 200: ApiKey },
    async handle(request) {
      return show(await getApiKey(coreOf(request), request.id));
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/api-keys/:id",
    summary: "Change an API key's name, permissions and restrictions",
    description:
      "Replaces all four members: an empty or absent restriction is removed. The secret " +
      "stays. The change is in force everywhere within 5 minutes.",
    permission: "full",
    body: ApiKeySettings,
    audit: { store: "core", operation: "api_key.update" },
    etag: "write",
    responses: { 200: ApiKey },
    async handle(request) {
      const scope = coreOf(request);
      const row = await writeIfMatch(request, {
        read: () => getApiKey(scope, request.id),
        etagOf: etagOfKey,
        write: (before) => updateApiKey(scope, request.id, toSettings(request.body), before),
      });
      forgetTeam(row.teamId);
      return show(row);
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/api-keys/:id",
    summary: "Delete an API key",
    description: "The deletion is in force everywhere within 5 minutes.",
    permission: "full",
    audit: { store: "core", operation: "api_key.delete" },
    etag: "write",
    responses: { 204: null },
    async handle(request) {
      const scope = coreOf(request);
      await writeIfMatch(request, {
        read: () => getApiKey(scope, request.id),
        etagOf: etagOfKey,
        write: (before) => removeApiKey(scope, request.id, before),
      });
      forgetTeam(request.caller.team.id);
      return { status: 204 };
    },
  }),
];

function show(row: ApiKeyRow): HttpReply {
  return json(200, toApiKey(row), { ETag: etagOfKey(row) });
}

/** Makes the ETag of the key's settings. A use of the key does not change the ETag. */
function etagOfKey({ name, permissions, allowedDomains, allowedIps }: KeySettings): string {
  return etagOf([name, permissions, allowedDomains, allowedIps]);
}
