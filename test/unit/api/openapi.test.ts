// Tests the OpenAPI document (tools/openapi) of a table of invented endpoints: a new entry gets its
// names, statuses and components without further work.
import * as z from "zod";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../tools/openapi/document.ts";
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
const drop = at("DELETE /v1/parcels/:id", { responses: { 204: null } });

const documentOf = (...table: Endpoint[]) => openApiDocument(table) as unknown as OpenApi;
const statusesOf = (table: Endpoint) =>
  Object.keys(Object.values(Object.values(documentOf(table).paths)[0] ?? {})[0]?.responses ?? {});

describe("the document", () => {
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
});
