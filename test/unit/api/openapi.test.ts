// Tests the OpenAPI document (tools/openapi) of a table of invented endpoints: a new entry gets its
// names, statuses and components without further work.
import * as z from "zod";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../tools/openapi/document.ts";
import { operationIdOf } from "../../../tools/openapi/names.ts";
import { type Endpoint, endpoint, json } from "../../../src/endpoint.ts";
import type { OpenApi } from "../../support/openapi-shapes.ts";

const handle = () => Promise.resolve(json(200, {}));
const Parcel = z.object({ id: z.string(), weight: z.int().nullable() });
const shape = { summary: "Something with parcels", permission: "full", handle } as const;

/** Makes an endpoint of a method and a path such as `GET /v1/parcels`. */
function at(place: string, given: Pick<Endpoint, "responses"> & Partial<Endpoint>): Endpoint {
  const [method, path] = place.split(" ") as [Endpoint["method"], string];
  return endpoint({ ...shape, method, path, ...given });
}

const list = at("GET /v1/parcels", { responses: { 200: Parcel }, paginated: true });
const one = at("GET /v1/parcels/:id", { responses: { 200: Parcel } });
const drop = at("DELETE /v1/parcels/:id", { responses: { 204: null } });

const documentOf = (...table: Endpoint[]) => openApiDocument(table) as unknown as OpenApi;
const statusesOf = (table: Endpoint) =>
  Object.keys(Object.values(Object.values(documentOf(table).paths)[0] ?? {})[0]?.responses ?? {});

describe("the document", () => {
  it("gives a new section its tag, its names and its components", () => {
    const document = documentOf(list, one, drop);
    expect(document.tags.map(({ name }) => name)).toContain("parcels");
    expect(Object.keys(document.paths)).toEqual(["/v1/parcels", "/v1/parcels/{id}", "/healthz"]);
    expect(document.paths["/v1/parcels/{id}"]?.["get"]?.operationId).toBe("getParcel");
    expect(document.components.schemas["Parcel"]).toEqual({
      type: "object",
      required: ["id", "weight"],
      properties: { id: { type: "string" }, weight: { type: ["integer", "null"] } },
    });
    expect(JSON.stringify(document.paths["/v1/parcels"])).toContain(
      '"data":{"type":"array","items":{"$ref":"#/components/schemas/Parcel"}',
    );
  });

  it("derives the statuses from body, query and permission of an entry", () => {
    const body = z.object({});
    expect(statusesOf(list)).toEqual(["200", "401", "402", "403", "422", "429", "500", "502"]);
    expect(statusesOf(drop)).toEqual(["204", "401", "402", "403", "404", "429", "500", "502"]);
    const common = "400 401 402 403 409 413 415 422 429 500 502".split(" ");
    const create = at("POST /v1/parcels", { body, responses: { 201: Parcel }, errors: [409] });
    expect(statusesOf(create)).toEqual(["201", ...common]);
    const operator = { permission: "operator", body, responses: { 200: Parcel } } as const;
    const change = statusesOf(at("PATCH /admin/x", operator));
    expect(change).toEqual("200 400 401 403 404 413 415 422 500 502".split(" "));
    const send = at("POST /v1/x", { body, admitsItself: true, responses: { 202: Parcel } });
    expect(statusesOf(send)).toEqual(["202", ...common]);
  });

  it("allows an endpoint's own body besides the error's", () => {
    const responses = { 200: Parcel, 422: Parcel };
    const mixed = at("POST /v1/parcels", { body: z.object({}), responses });
    const refused = documentOf(mixed).paths["/v1/parcels"]?.["post"]?.responses["422"];
    expect(JSON.stringify(refused)).toContain(
      '{"anyOf":[{"$ref":"#/components/schemas/ValidationError"},{"$ref":"#/components/schemas/CreateParcelResponse"}]}',
    );
  });

  it("has two components for a schema whose input and output differ", () => {
    const Wish = z.object({ size: z.string().default("small") }).meta({ id: "Wish" });
    const create = at("POST /v1/parcels", { body: Wish, responses: { 201: Wish } });
    const { schemas } = documentOf(create).components;
    expect(schemas["CreateParcelRequest"]).not.toHaveProperty("required");
    expect(schemas["Wish"]).toMatchObject({ required: ["size"] });
  });

  it("makes a named object inside another a component", () => {
    const Label = z.object({ text: z.string() }).meta({ id: "Label" });
    const labelled = at("GET /v1/boxes/:id", { responses: { 200: z.object({ label: Label }) } });
    const { schemas } = documentOf(labelled).components;
    expect(schemas["Box"] ?? schemas["Boxe"]).toMatchObject({
      properties: { label: { $ref: "#/components/schemas/Label" } },
    });
    expect(schemas["Label"]).toMatchObject({ properties: { text: { type: "string" } } });
  });

  it("shows a query parameter's alias as deprecated, with the same schema", () => {
    const query = z.object({ kind: z.enum(["a", "b"]).optional(), name: z.string().optional() });
    const aliased = endpoint({ ...list, query, queryAliases: { type: "kind" } });
    const { parameters } = documentOf(aliased).paths["/v1/parcels"]!["get"]!;
    expect(parameters?.slice(0, 3)).toEqual([
      { in: "query", name: "kind", schema: { type: "string", enum: ["a", "b"] } },
      { in: "query", name: "name", schema: { type: "string" } },
      {
        in: "query",
        name: "type",
        deprecated: true,
        description: "An alias of `kind`, used when that parameter is absent.",
        schema: { type: "string", enum: ["a", "b"] },
      },
    ]);
  });
});

describe("an operation's name", () => {
  it.each([
    ["GET", "/v1/api-keys", true, "listApiKeys"],
    ["GET", "/v1/api-keys/:id", false, "getApiKey"],
    ["POST", "/v1/api-keys", false, "createApiKey"],
    ["PATCH", "/v1/templates/:id/draft", false, "updateTemplateDraft"],
    ["DELETE", "/v1/templates/:id/draft", false, "deleteTemplateDraft"],
    ["POST", "/v1/templates/:id/publish", false, "publishTemplate"],
    ["POST", "/v1/webhooks/:id/rotate-secret", false, "rotateWebhookSecret"],
    ["POST", "/admin/teams", false, "createTeam"],
  ] as const)("of %s %s (paged: %s) is %s", (method, path, paginated, id) => {
    expect(operationIdOf({ method, path, paginated })).toBe(id);
  });

  it("is the entry's own operationId if it has one", () => {
    expect(operationIdOf({ method: "POST", path: "/v1/email", operationId: "sendEmail" })).toBe(
      "sendEmail",
    );
  });
});
