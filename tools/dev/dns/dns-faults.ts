// Makes the DNS server fail for a test. Queries get an error or no answer, or API calls fail after
// a number of calls that succeed.
import { canonicalName } from "./dns-records.ts";
import { Problem } from "../http-server.ts";

const QUERY_FAULTS = ["servfail", "refuse", "hang"] as const;

type QueryFault = (typeof QUERY_FAULTS)[number];

interface ApiFault {
  /** The HTTP status of failing API calls. 0 means that they get no answer. */
  readonly status: number;
  /** Number of API calls that succeed before the first one fails. */
  readonly after: number;
  /** The HTTP method of the API calls that count and fail. Absent means every method. */
  readonly method?: string;
}

export class DnsFaults {
  #query: QueryFault | null = null;
  /** The domains whose queries fail. Null means every name. */
  #domains: readonly string[] | null = null;
  #api: ApiFault | null = null;
  #calls = 0;

  /**
   * Sets the faults: `{dns_query?: "servfail" | "refuse" | "hang", dns_domains?: [domain, ...],
   * api?: {status, after?, method?}}`. If `dns_query` is absent, queries are answered. If `api` is
   * absent, API calls succeed. Without `dns_domains`, `dns_query` applies to every name. Throws a
   * 400 Problem.
   */
  replace(faults: Record<string, unknown>): void {
    const query = faults["dns_query"];
    if (query !== undefined && !QUERY_FAULTS.includes(query as QueryFault)) {
      throw new Problem(400, `dns_query: is not one of ${QUERY_FAULTS.join(", ")}`);
    }
    const domains =
      faults["dns_domains"] === undefined ? null : parseDomains(faults["dns_domains"]);
    const api = faults["api"] === undefined ? null : parseApiFault(faults["api"]);
    this.clear();
    this.#domains = domains;
    this.#query = (query as QueryFault | undefined) ?? null;
    this.#api = api;
  }

  clear(): void {
    this.#query = null;
    this.#domains = null;
    this.#api = null;
    this.#calls = 0;
  }

  list(): { dns_query?: QueryFault; dns_domains?: readonly string[]; api?: ApiFault } {
    return {
      ...(this.#query && { dns_query: this.#query }),
      ...(this.#domains && { dns_domains: this.#domains }),
      ...(this.#api && { api: this.#api }),
    };
  }

  /** Returns the fault for a query about `name`, or null if it has none. */
  dnsQuery(name: string): QueryFault | null {
    const asked = name.toLowerCase();
    const fails =
      this.#domains?.some((domain) => asked === domain || asked.endsWith(`.${domain}`)) ?? true;
    return fails ? this.#query : null;
  }

  /**
   * Counts one API call. Returns the HTTP status if the call must fail, or null if it must succeed.
   */
  apiStatus(method: string): number | null {
    if (this.#api === null || (this.#api.method !== undefined && this.#api.method !== method))
      return null;
    this.#calls += 1;
    return this.#calls > this.#api.after ? this.#api.status : null;
  }
}

function parseDomains(value: unknown): string[] {
  if (!Array.isArray(value)) throw new Problem(400, "dns_domains: is not a list");
  return value.map((domain: unknown) => {
    const name = typeof domain === "string" ? canonicalName(domain) : null;
    if (name === null)
      throw new Problem(400, "dns_domains: has a member that is not an absolute host name");
    return name;
  });
}

function parseApiFault(value: unknown): ApiFault {
  if (typeof value !== "object" || value === null) throw new Problem(400, "api: is not an object");
  const { status, after = 0, method } = value as Record<string, unknown>;
  if (
    !Number.isInteger(status) ||
    ((status as number) !== 0 && ((status as number) < 400 || (status as number) > 599))
  ) {
    throw new Problem(400, "api.status: is neither 400 to 599 nor 0 (no answer)");
  }
  if (!Number.isSafeInteger(after) || (after as number) < 0)
    throw new Problem(400, "api.after: is not a whole number of at least 0");
  if (method !== undefined && typeof method !== "string")
    throw new Problem(400, "api.method: is not a string");
  return {
    status: status as number,
    after: after as number,
    ...(method !== undefined && { method: method.toUpperCase() }),
  };
}
