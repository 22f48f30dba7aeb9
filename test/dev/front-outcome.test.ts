// Tests how the local front decides (docs/local.md §The front): where a name leads, for which names
// it has a certificate, and what answers a request, by Cloudflare's rules for routes.
import { describe, expect, it } from "vitest";
import {
  type Edge,
  hasCertificate,
  outcomeOf,
  wayOf,
} from "../../tools/dev/front/front-outcome.ts";
import { emptyFrontZone, type FrontZone } from "../../tools/dev/front/front-zone.ts";

const HOST = "click.shop.example";
const active = (hostname: string) => ({ id: hostname, hostname, ssl: { status: "active" } });
const EVERY = { id: "every", pattern: "*/*", script: "postern" };
const web = (name: string, data = "192.0.2.10", proxied = true) => ({
  name: `${name}example.com`,
  type: "A",
  data,
  proxied,
});

function edgeWith(zone: Partial<FrontZone> = {}): Edge {
  const ready = { custom_hostnames: [active(HOST)], fallback_origin: "track.post.example.com" };
  return {
    zone: { ...emptyFrontZone(), ...ready, worker_routes: [EVERY], ...zone },
    name: "example.com",
    records: [
      web("www."),
      web("a.b."),
      web("direct.", "192.0.2.11", false),
      { name: "post.example.com", type: "AAAA", data: "100::", proxied: true },
      { name: "track.post.example.com", type: "AAAA", data: "100::", proxied: true },
      { name: "*.track.post.example.com", type: "CNAME", data: "post.example.com", proxied: true },
      { name: HOST, type: "CNAME", data: "label.track.post.example.com" },
      { name: "loop.shop.example", type: "CNAME", data: "loop.shop.example" },
      { name: "away.shop.example", type: "CNAME", data: "direct.example.com" },
    ],
    worker: "postern",
    domains: ["post.example.com"],
  };
}

it.each([
  [HOST, { kind: "front" }],
  ["www.example.com", { kind: "front" }],
  ["direct.example.com", { kind: "elsewhere", address: "192.0.2.11" }],
  ["away.shop.example", { kind: "elsewhere", address: "192.0.2.11" }],
  ["loop.shop.example", { kind: "nowhere" }],
  ["no.shop.example", { kind: "nowhere" }],
])("the name %s leads to %j", (name, way) => {
  expect(wayOf(edgeWith(), name)).toEqual(way);
});

it.each([
  [HOST, true],
  ["other.shop.example", false],
  ["post.example.com", true],
  ["www.example.com", true],
  ["a.b.example.com", false],
  ["direct.example.com", false],
])("the front has a certificate for %s: %s", (name, has) => {
  expect(hasCertificate(edgeWith(), name)).toBe(has);
});

describe("a request", () => {
  const bypass = { id: "1", pattern: "www.example.com/*" };
  const refused = (status: number, code: number) => ({ kind: "refused", status, code });
  const WORKER = { kind: "worker" };
  const rule = { expression: `(http.host eq "${HOST}")`, action: "set_config" };
  const admitting = { ...rule, action_parameters: { bic: false } };
  const program = "Python-urllib/3.14";
  it.each<[string, Partial<FrontZone>, string, object, agent?: string]>([
    ["by a program gets 1010", {}, HOST, refused(403, 1010), program],
    ["by a program may pass by a rule", { config_rules: [admitting] }, HOST, WORKER, program],
    ["to a custom hostname reaches the worker", {}, HOST, WORKER],
    ["without a fallback origin gets 1016", { fallback_origin: null }, HOST, refused(530, 1016)],
    ["without a route gets 522", { worker_routes: [] }, HOST, refused(522, 522)],
    ["to a website reaches the worker by the route for every host", {}, "www.example.com", WORKER],
    [
      "to a website with a route of its own does not reach the worker",
      { worker_routes: [EVERY, bypass] },
      "www.example.com",
      { kind: "website" },
    ],
    ["to the worker's own host needs no route", { worker_routes: [] }, "post.example.com", WORKER],
    [
      "to a wildcard's host follows the wildcard's route",
      { worker_routes: [EVERY, { id: "2", pattern: "*.example.com/*" }] },
      "www.example.com",
      { kind: "website" },
    ],
  ])("%s", (_, zone, host, outcome, agent = "curl") => {
    expect(outcomeOf(edgeWith(zone), host, "/c/link", agent)).toEqual(outcome);
  });
});
