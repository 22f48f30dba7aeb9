// Makes domains whose customer published every record, and verifies them.
import { expect } from "vitest";
import { call, create, domainOf, newTeam, randomName } from "./calls.ts";
import { dnsOf } from "./domain-dns.ts";
import type { Outside } from "./outside.ts";

export const verify = (team: ReturnType<typeof newTeam>, id: string, now = Date.now()) =>
  domainOf(call(team, "POST /v1/domains/:id/verify", { id, now }));

/** Verifies a domain. Expects that the view of its records shows the failure's message too. */
export async function verifyAndView(team: ReturnType<typeof newTeam>, id: string) {
  const { records } = await dnsOf(team, id);
  const after = await verify(team, id);
  const failure = after.verification_failure ?? after.tracking.verification_failure;
  const shown = records.find(({ message }) => message.startsWith(failure?.message ?? "-"));
  expect(shown?.status).not.toBe("ok");
  expect(shown).toBeDefined();
  return { after, shown };
}

/**
 * Makes a domain for which the customer has published all DNS records. Tests then break records of
 * its zone.
 */
export async function publishDomain(outside: Outside, team = newTeam()) {
  const name = randomName("example");
  const domain = await create(team, name);
  outside.publish(name, domain.dns_records);
  const [returnPath, first] = domain.dns_records;
  const targets = { returnPathTarget: returnPath?.value ?? "", keyTarget: first?.value ?? "" };
  return { team, name, domain, ...targets };
}

/** Makes a domain for which the customer and Cloudflare have published all their DNS records. */
export async function onboardDomain(outside: Outside) {
  const zone = await publishDomain(outside, newTeam("cloudflare"));
  outside.onboard(zone.name);
  return zone;
}

export type PublishedDomain = Awaited<ReturnType<typeof publishDomain>>;
