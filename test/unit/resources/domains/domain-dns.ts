// Calls the endpoint that shows a domain's present DNS records, and checks the answer against the
// published schema.
import type * as z from "zod";
import { DomainDns } from "../../../../src/resources/domains/dns-view-json.ts";
import { call, type newTeam } from "./calls.ts";

export async function dnsOf(
  team: ReturnType<typeof newTeam>,
  id: string,
  now = Date.now(),
): Promise<z.output<typeof DomainDns>> {
  const { status, body } = await call(team, "GET /v1/domains/:id/dns", { id, now });
  if (status !== 200) throw new Error(`status ${status}`);
  return DomainDns.strict().parse(JSON.parse(body ?? "null"));
}
