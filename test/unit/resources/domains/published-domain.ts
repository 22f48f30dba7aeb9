// Makes domains whose customer published every record, and verifies them.
import { call, create, domainOf, newTeam, randomName } from "./calls.ts";
import type { Outside } from "./outside.ts";

export const verify = (team: ReturnType<typeof newTeam>, id: string, now = Date.now()) =>
  domainOf(call(team, "POST /v1/domains/:id/verify", { id, now }));

/**
 * Makes a domain for which the customer has published all DNS records. Tests then break records of
 * its zone.
 */
export async function publishDomain(outside: Outside, team = newTeam()) {
  const name = randomName("example");
  const domain = await create(team, name);
  outside.publish(name, domain.dns_records);
  const [returnPath, first] = domain.dns_records;
  return {
    team,
    name,
    domain,
    returnPathTarget: returnPath?.value ?? "",
    keyTarget: first?.value ?? "",
  };
}

export type PublishedDomain = Awaited<ReturnType<typeof publishDomain>>;
