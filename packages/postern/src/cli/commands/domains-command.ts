// `postern domains`: adds a sending domain, shows its records, and compares them with DNS.
import type { Postern } from "../../client/postern.ts";
import type { Domain, DomainDns, UpdateDomainRequest } from "../../generated/types.ts";
import { requestRun, listRun, table } from "../request-actions.ts";
import type { CommandGroup } from "../command.ts";
import { CommandFailure, EXIT, wrongUsage } from "../exit-codes.ts";
import { definedMembers, type ParsedArguments } from "../parsed-arguments.ts";

type CheckedDomain = Domain & { readonly dns: DomainDns };

export const DOMAINS_COMMAND: CommandGroup = {
  name: "domains",
  summary: "Add, verify, change and delete sending domains",
  examples: [
    "postern domains add example.com",
    "postern domains verify example.com && echo ready",
    "postern domains update example.com --clicks on --opens off",
  ],
  actions: [
    {
      name: "list",
      summary: "List the sending domains",
      run: listRun<Domain>(
        {
          NAME: ({ name }) => name,
          STATUS: ({ status }) => status,
          TRACKING: ({ tracking }) => tracking.status,
          ID: ({ id }) => id,
        },
        (client, _, limit) => client.domains.list({ limit }),
      ),
    },
    {
      name: "add",
      takes: "<name>",
      summary: "Add a domain, and show the records to publish",
      run: requestRun(
        (client, given) => client.domains.create({ name: given.positional(0) }),
        (domain) => [
          `Publish these records, then run: postern domains verify ${domain.name}`,
          "",
          ...recordTable(domain.dns_records),
        ],
      ),
    },
    {
      name: "show",
      takes: "<name>",
      summary: "Show a domain's records beside what DNS has now; changes nothing",
      run: requestRun(
        async (client, given) => checked(client, await domainNamed(client, given.positional(0))),
        ({ name, status, dns }) => [`${name} is ${status}.`, ...dnsLines(dns)],
      ),
    },
    {
      name: "verify",
      takes: "<name>",
      summary: "Check a domain's records; exits with 1 until it is verified",
      run: requestRun(
        async (client, given) => {
          const { id } = await domainNamed(client, given.positional(0));
          return checked(client, await client.domains.verify(id));
        },
        ({ name, status, verification_failure: failure, dns }) => [
          `${name} is ${status}${failure === null ? "" : `: ${failure.message}`}`,
          ...dnsLines(dns),
        ],
        ({ status }) => status === "verified",
      ),
    },
    {
      name: "update",
      takes: "<name>",
      summary: "Change a domain's tracking of opens and clicks",
      options: {
        opens: { value: "<on|off>", summary: "Track opens" },
        clicks: { value: "<on|off>", summary: "Track clicks" },
        subdomain: { value: "<label>", summary: "The subdomain of tracked links; '' for none" },
      },
      run: requestRun(
        async (client, given) => {
          const tracking = trackingIn(given);
          const { id } = await domainNamed(client, given.positional(0));
          return client.domains.update(id, { tracking });
        },
        ({ name, tracking }) => [
          `The tracking of ${name} is ${tracking.status}.`,
          ...(tracking.dns_records.length > 0 && tracking.status === "pending"
            ? ["", ...recordTable(tracking.dns_records)]
            : []),
        ],
      ),
    },
    {
      name: "delete",
      takes: "<name>",
      summary: "Delete a domain and its DKIM keys: no mail goes out from it any more",
      asks: (given) => `Delete the domain ${given.positional(0)} and its DKIM keys?`,
      run: requestRun(
        async (client, given) => {
          const { id, name } = await domainNamed(client, given.positional(0));
          await client.domains.delete(id);
          return { id, name };
        },
        ({ name }) => [`Deleted: ${name}.`],
      ),
    },
  ],
};

function trackingIn(given: ParsedArguments): UpdateDomainRequest["tracking"] {
  const subdomain = given.text("subdomain");
  const tracking = definedMembers({
    opens_enabled: switchIn(given, "opens"),
    clicks_enabled: switchIn(given, "clicks"),
    subdomain: subdomain === "" ? null : subdomain,
  });
  if (Object.keys(tracking).length === 0)
    throw wrongUsage("nothing to change: give --opens, --clicks or --subdomain");
  return tracking;
}

function switchIn(given: ParsedArguments, name: string): boolean | undefined {
  const text = given.text(name);
  if (text !== undefined && text !== "on" && text !== "off")
    throw wrongUsage(`--${name} is on or off, not ${text}`);
  return text === undefined ? undefined : text === "on";
}

async function checked(client: Postern, domain: Domain): Promise<CheckedDomain> {
  return { ...domain, dns: await client.domains.getDns(domain.id) };
}

function recordTable(records: Domain["dns_records"]): readonly string[] {
  return table(
    { TYPE: ({ type }) => type, NAME: (one) => one.name, VALUE: (one) => one.value },
    records,
  );
}

function dnsLines({ records, policies }: DomainDns): readonly string[] {
  const wrong = records.filter(({ status }) => status !== "ok");
  return [
    "",
    ...table(
      {
        TYPE: ({ type }) => type,
        NAME: ({ name }) => name,
        VALUE: ({ expected }) => expected ?? "-",
        NOW: ({ status }) => status,
        "DNS HAS": ({ found }) => found.join(", ") || "-",
      },
      records,
    ),
    "",
    ...table(
      {
        POLICY: ([name]) => name,
        NOW: ([, { status }]) => status,
        "": ([, { message }]) => message,
      },
      Object.entries(policies),
    ),
    ...(wrong.length > 0 ? ["", ...wrong.map(({ host, message }) => `${host}: ${message}`)] : []),
  ];
}

/** Finds a domain by its name or id. Throws a CommandFailure if the team has no such domain. */
async function domainNamed(client: Postern, name: string): Promise<Domain> {
  const wanted = name.toLowerCase();
  for await (const domain of client.domains.list({ limit: 100 }))
    if (domain.name === wanted || domain.id === name) return domain;
  throw new CommandFailure(
    `the team has no domain ${name}: run postern domains add ${name}`,
    EXIT.notFound,
  );
}
