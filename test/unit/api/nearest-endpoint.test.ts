// Tests which endpoint an unknown path probably meant (src/api/nearest-endpoint.ts).
import { describe, expect, it } from "vitest";
import { nearestEndpoint } from "../../../src/api/nearest-endpoint.ts";

const PLACES = [
  { method: "GET", path: "/v1/parcels" },
  { method: "POST", path: "/v1/parcels" },
  { method: "GET", path: "/v1/parcels/:id" },
  { method: "POST", path: "/v1/parcels/:id/send" },
  { method: "POST", path: "/v1/letter" },
] as const;

const MAIL = [
  { method: "POST", path: "/v1/email" },
  { method: "POST", path: "/v1/email/batch" },
  { method: "GET", path: "/v1/email/:id" },
  { method: "GET", path: "/v1/email" },
  { method: "POST", path: "/v1/email/:id/cancel" },
  { method: "PATCH", path: "/v1/email/:id" },
  { method: "GET", path: "/v1/stats" },
  { method: "GET", path: "/v1/suppressions/:email/:topic" },
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
    ["POST", "/v3/mail/send", "POST /v1/email"],
    ["POST", "/email", "POST /v1/email"],
    ["POST", "/emails", "POST /v1/email"],
    ["POST", "/messages", "POST /v1/email"],
    ["POST", "/email/withTemplate", "POST /v1/email"],
    ["POST", "/v3/example.com/messages", "POST /v1/email"],
    ["POST", "/v3/smtp/email", "POST /v1/email"],
    ["POST", "/api/1.0/messages/send", "POST /v1/email"],
    ["POST", "/emails/batch", "POST /v1/email/batch"],
    ["GET", "/emails/49a3999c-0ce1-4ea6-ab68-afcd6dc2e794", "GET /v1/email/{id}"],
    ["POST", "/emails/49a3999c/cancel", "POST /v1/email/{id}/cancel"],
    ["GET", "/v3/stats", "GET /v1/stats"],
    ["GET", "/v3/mail/send", "GET /v1/email"],
    ["GET", "/v1/suppression/ann@example.com/news", "GET /v1/suppressions/{email}/{topic}"],
  ])("of another service's %s %s is %s", (method, path, nearest) => {
    expect(nearestEndpoint(MAIL, method, path)).toBe(nearest);
  });

  it.each([
    ..."/ /v1 /favicon.ico /v1/p_7 /parcel/p_7/lost/and/found /v1/stamps".split(" "),
    "/a/b/c/d/e/f/g/h/i/j",
    "",
    `/v1/parcels${"x".repeat(200)}`,
  ])("is none for %s", (path) => {
    expect(nearestEndpoint(PLACES, "GET", path)).toBeUndefined();
  });
});
