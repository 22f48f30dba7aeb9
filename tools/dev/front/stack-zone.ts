// The zone of a stack with a front and without an account. It has a fallback origin and routes, as
// set-up makes them, and the operator's website. A file stores the zone.
import { join } from "node:path";
import type { PutRecord } from "../dns/dns-server.ts";
import type { HttpRequest, LocalReply } from "../http-server.ts";
import { readStateFile, writeStateFile } from "../state-file.ts";
import type { Edge, FrontRecord } from "./front-outcome.ts";
import { emptyFrontZone, type FrontZone } from "./front-zone.ts";
import { serveHostnames } from "./hostname-api.ts";

const WORKER = "postern";

/** Returns the records of the operator's website and of the fallback origin. */
export function frontRecords(zoneName: string): PutRecord[] {
  return [
    { name: `www.${zoneName}`, type: "A", data: "192.0.2.10", proxied: true },
    { name: `track.${zoneName}`, type: "AAAA", data: "100::", proxied: true },
  ];
}

export class StackZone {
  readonly #path: string;
  readonly #name: string;
  readonly #dnsUrl: string;
  #zone: FrontZone;

  /** `state` is the state directory. `name` is the zone's name. */
  constructor(state: string, name: string, dnsUrl: string) {
    this.#path = join(state, "front", "zone.json");
    this.#name = name;
    this.#dnsUrl = dnsUrl;
    this.#zone = (readStateFile(this.#path) as FrontZone | undefined) ?? {
      ...emptyFrontZone(),
      fallback_origin: `track.${name}`,
      worker_routes: [
        { id: "all", pattern: "*/*", script: WORKER },
        { id: "website", pattern: `www.${name}/*` },
      ],
    };
  }

  get zone(): FrontZone {
    return this.#zone;
  }

  change(members: Partial<FrontZone>): void {
    this.#zone = { ...this.#zone, ...members };
    writeStateFile(this.#path, this.#zone);
  }

  /** Answers an API call about custom hostnames. Throws an ApiRefusal, as serveHostnames() does. */
  readonly hostnames = (request: HttpRequest, path: readonly string[]): LocalReply => {
    const reply = serveHostnames(this.#zone, request, path);
    writeStateFile(this.#path, this.#zone);
    return reply;
  };

  readonly edge = async (): Promise<Edge> => {
    const records = await listRecords(this.#dnsUrl);
    return { zone: this.#zone, name: this.#name, records, worker: WORKER, domains: [] };
  };
}

export async function listRecords(dnsUrl: string): Promise<readonly FrontRecord[]> {
  const response = await fetch(`${dnsUrl}/records`);
  return ((await response.json()) as { records: FrontRecord[] }).records;
}
