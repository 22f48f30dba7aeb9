// Finds the public addresses that mail leaves from: the addresses that the operator names, or else
// those of the IP pools, or else the address that the system chooses. A host behind NAT can't know
// its public address, so the code never guesses it.
import { createSocket } from "node:dgram";
import type { GatewaySettings } from "../config.ts";
import { isPublicAddress } from "../outbound/public-address.ts";
import type { Route } from "../setting-readers.ts";
import { canonicalAddress } from "./reverse-name.ts";
import { selfCheck, type SelfCheck } from "./self-check.ts";

export type OwnAddressSettings = Pick<GatewaySettings, "publicAddresses" | "sources"> & {
  readonly routes: readonly Pick<Route, "pattern">[];
};

interface OwnAddresses {
  readonly known: readonly string[];
  readonly results: readonly SelfCheck[];
}

/**
 * Returns the local address that the system would use to connect. Returns null if the system has no
 * route for this address family.
 */
export type SystemSource = (family: 4 | 6) => Promise<string | null>;

/**
 * A root name server's addresses. They are outside every operator's network
 * (https://www.iana.org/domains/root/servers).
 */
const FAR_AWAY = { 4: "198.41.0.4", 6: "2001:503:ba3e::2:30" } as const;
const DISCARD_PORT = 9;
const NAME_THEM =
  "set EGRESS_ADDRESSES to the public addresses that mail leaves from (smtp-gateway/README.md)";

export async function findOwnAddresses(
  { publicAddresses, sources, routes }: OwnAddressSettings,
  systemSource: SystemSource = askSystem,
): Promise<OwnAddresses> {
  if (routes.some(({ pattern }) => pattern === "*"))
    return {
      known: [],
      results: [
        about("ok", "a route takes all mail to one host, so receivers see that host's addresses"),
      ],
    };
  const local =
    publicAddresses.length > 0 ? publicAddresses : await localSources(sources, systemSource);
  const all = [...new Set(local.map(canonicalAddress))];
  const known = all.filter(isPublicAddress);
  const hidden = all.filter((address) => !isPublicAddress(address));
  const results = [
    ...(known.length > 0 ? [about("ok", `mail leaves from ${known.join(", ")}`)] : []),
    ...hidden.map((address) =>
      selfCheck(
        "addresses",
        "unknown",
        address,
        `mail leaves from ${address}, which is not public: receivers see another address ` +
          "(NAT) that this host can't know",
        NAME_THEM,
      ),
    ),
    ...(all.length === 0
      ? [about("unknown", "this host has no route to the Internet", NAME_THEM)]
      : []),
  ];
  return { known, results };
}

function about(status: "ok" | "unknown", message: string, advice: string | null = null) {
  return selfCheck("addresses", status, null, message, advice);
}

/**
 * Returns the local addresses that mail leaves from. Messages without a pool use `default`. If the
 * pool `default` is missing, the system chooses their source address.
 */
async function localSources(
  sources: OwnAddressSettings["sources"],
  systemSource: SystemSource,
): Promise<string[]> {
  const pooled = [...sources.values()].flat();
  if (sources.has("default")) return pooled;
  const chosen = await Promise.all([systemSource(4), systemSource(6)]);
  return [...pooled, ...chosen.filter((address) => address !== null)];
}

/**
 * Connects a UDP socket, so that the system chooses a source address by its routes. Nothing is
 * sent.
 */
function askSystem(family: 4 | 6): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const socket = createSocket(family === 4 ? "udp4" : "udp6");
  socket.once("error", () => {
    socket.close();
    resolve(null);
  });
  socket.once("connect", () => {
    const { address } = socket.address();
    socket.close();
    resolve(address);
  });
  socket.connect(DISCARD_PORT, FAR_AWAY[family]);
  return promise;
}
