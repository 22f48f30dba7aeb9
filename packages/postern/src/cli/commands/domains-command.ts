// `postern domains`: adds a sending domain, shows its records, and compares them with DNS.
import type { Postern } from "../../client/postern.ts";
import type { Domain, DomainDns } from "../../generated/types.ts";
import { type Actions, runAction } from "../chosen-action.ts";
import type { CliCommand, CommandInput } from "../command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-codes.ts";
import { tableLines } from "../command-output.ts";

const ACTIONS: Actions = { list, add, show, verify };

export const DOMAINS_COMMAND: CliCommand = {
  name: "domains",
  summary: "List, add and verify sending domains",
  usage: ["domains", "domains add <name>", "domains show <name>", "domains verify <name>"],
  actions: Object.keys(ACTIONS),
  examples: ["postern domains add example.com", "postern domains verify example.com && echo ready"],
  run: (input) => runAction(ACTIONS, input),
};

async function list({ terminal, client }: CommandInput): Promise<void> {
  const domains: Domain[] = [];
  for await (const domain of client().domains.list({ limit: 100 })) domains.push(domain);
  terminal.show(domains, () =>
    tableLines(
      ["NAME", "STATUS", "TRACKING", "ID"],
      domains.map(({ name, status, tracking, id }) => [name, status, tracking.status, id]),
    ),
  );
}

async function add({ given, terminal, client }: CommandInput): Promise<void> {
  const domain = await client().domains.create({ name: given.needWord(1, "the domain") });
  terminal.show(domain, () => [
    `Publish these records, then run: postern domains verify ${domain.name}`,
    "",
    ...tableLines(
      ["TYPE", "NAME", "VALUE"],
      domain.dns_records.map(({ type, name, value }) => [type, name, value]),
    ),
  ]);
}

/** Shows what DNS has now. Changes nothing. */
async function show({ given, terminal, client }: CommandInput): Promise<void> {
  const postern = client();
  const domain = await domainNamed(postern, given.needWord(1, "the domain"));
  const dns = await postern.domains.getDns(domain.id);
  terminal.show({ ...domain, dns }, () => [
    `${domain.name} is ${domain.status}.`,
    ...dnsLines(dns),
  ]);
}

/** Exits with 1 while the domain is not verified. */
async function verify({ given, terminal, client }: CommandInput): Promise<ExitCode> {
  const postern = client();
  const { id } = await domainNamed(postern, given.needWord(1, "the domain"));
  const domain = await postern.domains.verify(id);
  const dns = await postern.domains.getDns(id);
  const failure = domain.verification_failure;
  terminal.show({ ...domain, dns }, () => [
    `${domain.name} is ${domain.status}${failure === null ? "" : `: ${failure.message}`}`,
    ...dnsLines(dns),
  ]);
  return domain.status === "verified" ? EXIT.done : EXIT.failed;
}

function dnsLines({ records, policies }: DomainDns): readonly string[] {
  const wrong = records.filter(({ status }) => status !== "ok");
  return [
    "",
    ...tableLines(
      ["TYPE", "NAME", "VALUE", "NOW", "DNS HAS"],
      records.map(({ type, name, expected, status, found }) => [
        type,
        name,
        expected ?? "-",
        status,
        found.join(", ") || "-",
      ]),
    ),
    "",
    ...tableLines(
      ["POLICY", "NOW", ""],
      Object.entries(policies).map(([name, { status, message }]) => [name, status, message]),
    ),
    ...(wrong.length > 0 ? ["", ...wrong.map(({ host, message }) => `${host}: ${message}`)] : []),
  ];
}

/** Finds a domain by its name or id. Throws a CommandFailure. */
async function domainNamed(postern: Postern, name: string): Promise<Domain> {
  const wanted = name.toLowerCase();
  for await (const domain of postern.domains.list({ limit: 100 }))
    if (domain.name === wanted || domain.id === name) return domain;
  throw new CommandFailure(
    `the team has no domain ${name}: postern domains add ${name}`,
    EXIT.notFound,
  );
}
