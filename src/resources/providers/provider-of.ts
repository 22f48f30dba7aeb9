// Determines an event's provider: the provider whose mail server answered or, without one, the
// provider of the recipient's domain (contract.md §Providers). Pure.
import { addressDomain } from "../../lib/address.ts";
import { PROVIDER_RULES } from "./provider-rules.ts";

/** The provider name for mail to the simulator's addresses. */
export const SIMULATOR = "simulator";
/** The filter value that selects events without a provider. */
export const NO_PROVIDER = "none";
/** The provider name for a mail server that no rule names. */
const OTHER = "other";

type KnownProvider = (typeof PROVIDER_RULES)[number]["name"];

/** A provider that hosts people's mailboxes, so not the simulator. */
export type RealProvider = KnownProvider | typeof OTHER;

export type Provider = RealProvider | typeof SIMULATOR;

export const PROVIDERS: readonly [Provider, ...Provider[]] = [
  OTHER,
  ...PROVIDER_RULES.map(({ name }) => name),
  SIMULATOR,
];

const BY_SERVER: ReadonlyMap<string, KnownProvider> = new Map(
  PROVIDER_RULES.flatMap(({ name, mx }) => mx.map((suffix) => [suffix, name] as const)),
);
const BY_DOMAIN: ReadonlyMap<string, KnownProvider> = new Map(
  PROVIDER_RULES.flatMap(({ name, domains }) => domains.map((domain) => [domain, name] as const)),
);

/** The facts of an event that determine its provider. */
export interface ProviderFacts {
  readonly recipient: string;
  /** The mail server of the event's attempt. Null: no server was reached, or it is unknown. */
  readonly mxHost: string | null;
}

/**
 * Returns the provider for a mail server and a recipient's domain in lower case. Returns null if
 * the server is unknown, and the rules do not list the domain.
 */
export function providerOf(mxHost: string | null, domain: string): RealProvider | null {
  const byServer = mxHost === null ? undefined : serverOwner(mxHost.toLowerCase());
  return byServer ?? BY_DOMAIN.get(domain) ?? (mxHost === null ? null : OTHER);
}

/** Returns an event's provider. `simulated` is the domain of the simulator's addresses. */
export function eventProvider(
  { recipient, mxHost }: ProviderFacts,
  simulated: string,
): Provider | null {
  const domain = addressDomain(recipient);
  return domain === simulated ? SIMULATOR : providerOf(mxHost, domain);
}

/** Returns the domain of the simulator's addresses (docs/simulator.md). */
export function simulatorDomain(serviceDomain: string): string {
  return `simulator.${serviceDomain}`;
}

/** Returns the owner of the longest suffix of the host's name that the rules list. */
function serverOwner(host: string): KnownProvider | undefined {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  for (let from = 0; ;) {
    const owner = BY_SERVER.get(name.slice(from));
    const dot = name.indexOf(".", from);
    if (owner !== undefined || dot < 0) return owner;
    from = dot + 1;
  }
}
