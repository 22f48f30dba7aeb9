// Makes the DNS server fail for a test. Queries get an error or no answer. API calls fail after a
// number of successful calls.
import * as z from "zod";
import { canonicalName } from "./dns-records.ts";
import { listOf, oneOf, readValue, wholeNumber } from "../set-values.ts";

const QueryFault = oneOf(["servfail", "refuse", "hang"]);

const Domains = listOf("domains").transform((domains, context) =>
  domains.map((domain) => {
    const name = canonicalName(domain);
    if (name === null) context.addIssue("has a member that is not an absolute host name");
    return name ?? domain;
  }),
);

const ApiFault = z.object(
  {
    /** The HTTP status of failing API calls. 0 means that the calls get no answer. */
    status: z
      .int("is neither 400 to 599 nor 0 (no answer)")
      .refine(
        (status) => status === 0 || (status >= 400 && status <= 599),
        "is neither 400 to 599 nor 0 (no answer)",
      ),
    /** Number of API calls that succeed before the first one fails. */
    after: wholeNumber(0).default(0),
    /** The HTTP method of the API calls that count and that may fail. Absent means every method. */
    method: z.string("is not a string").toUpperCase().optional(),
  },
  "is not an object",
);

/**
 * If `dns_query` is absent, queries are answered. If `api` is absent, API calls succeed. If
 * `dns_domains` is absent, `dns_query` applies to every name.
 */
const Faults = z.object({
  dns_query: QueryFault.optional(),
  dns_domains: Domains.optional(),
  api: ApiFault.optional(),
});

export class DnsFaults {
  #set: z.infer<typeof Faults> = {};
  #calls = 0;

  /** Sets the faults. Throws a 400 Problem for an invalid fault. */
  replace(faults: Record<string, unknown>): void {
    this.#set = readValue(Faults, faults);
    this.#calls = 0;
  }

  list(): z.infer<typeof Faults> {
    return this.#set;
  }

  /** Returns the fault for a query about `name`, or null without a fault. */
  dnsQuery(name: string): z.infer<typeof QueryFault> | null {
    const asked = name.toLowerCase();
    const { dns_domains: domains, dns_query: query = null } = this.#set;
    const fails =
      domains?.some((domain) => asked === domain || asked.endsWith(`.${domain}`)) ?? true;
    return fails ? query : null;
  }

  /** Counts one API call. Returns the HTTP status with which the call must fail, or null. */
  apiStatus(method: string): number | null {
    const { api } = this.#set;
    if (!api || (api.method !== undefined && api.method !== method)) return null;
    this.#calls += 1;
    return this.#calls > api.after ? api.status : null;
  }
}
