// Lists the endpoints for the contract tests: each published endpoint that takes a bearer
// credential, with a request to it that is valid by the OpenAPI document.
import { endpoints } from "../../src/api/app.ts";
import type { Endpoint } from "../../src/endpoint.ts";
import { expect } from "vitest";
import { bindings, call, type ErrorBody, type TestTeam } from "./api.ts";
import { idOfDomain, makeSendingDomain } from "./domain.ts";
import { makeReply } from "./made-reply.ts";
import { newBatches } from "./test-outbox.ts";
import { type OpenApi, openApi, type OpenApiOperation } from "./openapi-shapes.ts";

const HOUR_MS = 3_600_000;

type Options = NonNullable<Parameters<typeof call>[2]>;

/** Every endpoint of the OpenAPI document, including those for the console's sessions. */
export const documented = endpoints.filter(
  ({ internal, permission }) => !internal && permission !== "gateway",
);
export const published = documented.filter(
  ({ permission }) => permission !== "console" && permission !== "owner",
);
export const forKeys = published.filter(({ permission }) => permission !== "operator");
export const forOperators = published.filter(({ permission }) => permission === "operator");
export const withBody = published.filter(
  ({ body, accepts, admitsItself }) => Boolean(body ?? accepts) || admitsItself === true,
);

/** Makes the rows for it.each: the name of the test, and the endpoint. */
export const named = (list: readonly Endpoint[]): [string, Endpoint][] =>
  list.map((one) => [`${one.method} ${one.path}`, one]);

/**
 * Returns one endpoint for each way in which requests are checked. checksOf() in src/api/app.ts
 * derives an endpoint's checks only from the members that this function compares.
 */
export function oneOfEachKind(list: readonly Endpoint[]): [string, Endpoint][] {
  const kinds = list.map((one): [string, Endpoint] => {
    const { permission, admitsItself, accepts, optionalBody, largestBody, body, query } = one;
    const flags = [admitsItself, accepts, optionalBody, largestBody, body && 1, query && 1];
    return [JSON.stringify([permission, one.paginated, one.method === "GET", ...flags]), one];
  });
  return named([...new Map(kinds.toReversed()).values()]);
}

export const isForOperators = ({ permission }: Endpoint): boolean => permission === "operator";

export function operationOf(
  document: OpenApi,
  { method, path }: Pick<Endpoint, "method" | "path">,
): OpenApiOperation {
  const operation = document.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not in the document`);
  return operation;
}

/** Returns the endpoint's path with `params`, or with the document's examples as parameters. */
export async function pathOf(
  endpoint: Endpoint,
  params: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { parameters = [] } = operationOf(await openApi(), endpoint);
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(
      params[name] ??
        parameters.find((one) => one.name === name && one.in === "path")?.example ??
        "",
    ),
  );
}

/** Calls the endpoint. The body is the document's example, unless `options` has a body. */
export async function request(
  endpoint: Endpoint,
  options: Options = {},
  params: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return call(endpoint.method, await pathOf(endpoint, params), {
    ...(await exampleBody(endpoint)),
    ...options,
  });
}

/**
 * Returns the example of a JSON body in the OpenAPI document. A scheduled time is replaced by an
 * hour from now, because the example's date passes.
 */
export async function exampleOf(endpoint: Endpoint): Promise<Record<string, unknown>> {
  const { requestBody } = operationOf(await openApi(), endpoint);
  const example = requestBody?.content["application/json"]?.example as
    | Record<string, unknown>
    | undefined;
  const inAnHour = new Date(Date.now() + HOUR_MS).toISOString();
  return { ...example, ...(example?.["scheduled_at"] ? { scheduled_at: inAnHour } : {}) };
}

async function exampleBody(endpoint: Endpoint): Promise<Options> {
  const [media] = Object.entries(operationOf(await openApi(), endpoint).requestBody?.content ?? {});
  if (!media) return {};
  const [type, { example }] = media;
  return type === "application/json"
    ? { body: await exampleOf(endpoint) }
    : { raw: String(example), headers: { "Content-Type": type } };
}

let addresses = 0;

/** Returns an address that no other test of this file has used. */
export function freshAddress(): string {
  addresses += 1;
  return `2001:db8:${crypto.randomUUID().slice(0, 4)}:${addresses.toString(16)}::1`;
}

/** Checks that the response has this status and error type. Returns its error. */
export async function errorOf(
  response: Response | Promise<Response>,
  status: number,
  type: string,
): Promise<ErrorBody["error"]> {
  const answer = await response;
  expect(answer.status).toBe(status);
  const { error } = await answer.json<ErrorBody>();
  expect(error.type).toBe(type);
  return error;
}

/**
 * Creates a resource of the team for the endpoint's path. Returns the path parameters that name it.
 */
export async function makeResource(
  { path }: Endpoint,
  owner: TestTeam,
): Promise<Record<string, string>> {
  const collection = path.slice(0, path.indexOf("/:"));
  if (collection === "/v1/requests") {
    const refused = await owner.get("/v1/email/unknown");
    return { id: refused.headers.get("X-Request-Id") ?? "" };
  }
  if (collection === "/v1/replies") return { id: await makeReply(owner.id), index: "0" };
  const action = collection.replace(/s$/, ""); // POST …/import creates the resources below …/imports
  const creation = published.find(
    (one) => one.method === "POST" && (one.path === collection || one.path === action),
  );
  if (!creation) throw new Error(`no endpoint creates the resource of ${path}`);
  if (collection === "/v1/domains")
    return { id: await idOfDomain(await makeSendingDomain(owner.id)) };
  const address = { email: `${crypto.randomUUID()}@example.net`, topic: "news" };
  const isAddress = collection === "/v1/suppressions";
  const unique = isAddress
    ? address
    : collection === "/v1/email"
      ? { from: `hello@${await makeSendingDomain(owner.id)}` }
      : { name: crypto.randomUUID() };
  const files = path.includes("/:index") && { attachments: [{ filename: "a", content: "aGk=" }] };
  const body = { ...(await exampleOf(creation)), ...unique, ...files };
  if (path.includes("/content")) await owner.patch("/v1/team", { content_days: 3 });
  const response = await request(creation, { key: owner.key, body });
  expect(response.ok).toBe(true);
  const { id } = await response.json<{ id: string }>();
  if (path.includes("/versions")) {
    await owner.post(`/v1/templates/${id}/publish`);
    return { id, version: "1" };
  }
  if (path.endsWith("/draft")) await owner.patch(path.replace(":id", id), { subject: "A draft" });
  if (path.includes("/:batch_id")) {
    const [batch] = newBatches(1);
    await bindings.WEBHOOK_OUTBOX.getByName(id).enqueue(owner.id, [batch!]);
    return { id, batch_id: batch!.id };
  }
  return isAddress ? address : { id, ...(files && { index: "0" }) };
}
