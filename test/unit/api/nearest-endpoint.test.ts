// The endpoint that was probably meant (src/api/nearest-endpoint.ts).
import { describe, expect, it } from "vitest";
import { nearestEndpoint } from "../../../src/api/nearest-endpoint.ts";

const PLACES = [
  { method: "GET", path: "/v1/parcels" },
  { method: "POST", path: "/v1/parcels" },
  { method: "GET", path: "/v1/parcels/:id" },
  { method: "POST", path: "/v1/parcels/:id/send" },
  { method: "POST", path: "/v1/letter" },
] as const;

describe("nearestEndpoint", () => {
  it.each([
    ["GET", "/v1/parcel", "GET /v1/parcels"],
    ["POST", "/v1/parcel", "POST /v1/parcels"],
    ["DELETE", "/v1/parcel", "GET /v1/parcels"],
    ["GET", "/V1/Parcels", "GET /v1/parcels"],
    ["GET", "/parcels", "GET /v1/parcels"],
    ["GET", "/api/v1/parcels", "GET /v1/parcels"],
    ["GET", "//v1//parcels/", "GET /v1/parcels"],
    ["GET", "/v1/parcel/p_7", "GET /v1/parcels/{id}"],
    ["POST", "/v1/parcels/p_7/sent", "POST /v1/parcels/{id}/send"],
    ["GET", "/v1/letters", "POST /v1/letter"],
  ])("of %s %s is %s", (method, path, nearest) => {
    expect(nearestEndpoint(PLACES, method, path)).toBe(nearest);
  });

  it.each([
    "/",
    "",
    "/v1",
    "/favicon.ico",
    "/v1/stamps",
    "/a/b/c/d/e/f/g/h/i/j",
    `/v1/parcels${"x".repeat(200)}`,
  ])("is none for %s", (path) => {
    expect(nearestEndpoint(PLACES, "GET", path)).toBeUndefined();
  });
});
