// Step: the first team has a domain to send from. If this domain is in the service's zone, set-up
// publishes its records and verifies the domain. Otherwise, set-up prints the records for the
// operator.
import { getDomain } from "tldts";
import type { Context, Step } from "../setup-context.ts";
import { type StepOutcome, waitingLine } from "../step-outcome.ts";
import { type PublishOutcome, publish, publishedLine } from "./publish.ts";
import { nameSendingDomain } from "./name-sending-domain.ts";
import { aliasSet, type RecordSet } from "../record-sets.ts";
import type { Domain } from "../operator-client.ts";
import { waitUntil } from "../wait-until.ts";
import { isWithin } from "./zone.ts";

const WAIT_SECONDS = 60;
const EVERY_MS = 3_000;
const LATER =
  "Verification usually takes a minute or two, and up to 30 minutes if DNS was asked too " +
  "early. Then run this again";

export const sendingDomain: Step = {
  name: "sending domain",
  plan: ({ settings }) => [
    `publish the records of ${settings["SENDING_DOMAIN"]} and verify it, if it is not ` +
      "verified",
  ],
  async run(context) {
    const { teamKey } = context;
    const name = await nameSendingDomain(context);
    if (name === undefined)
      return {
        kind: "skipped",
        detail: "no domain is named: set SENDING_DOMAIN for a first message",
      };
    if (teamKey === null) {
      if (context.dryRun)
        return { kind: "would", detail: `add ${name} to the team and publish its records` };
      return { kind: "skipped", detail: `${name}: the team's key is not known here` };
    }
    return bringAbout(context, teamKey, name);
  },
};

async function bringAbout(context: Context, key: string, name: string): Promise<StepOutcome> {
  const { api, dryRun, zone } = context;
  const known = (await api.domains(key)).find((domain) => domain.name === name);
  if (known?.status === "verified") {
    context.sendingDomain = name;
    return { kind: "already", detail: `${name}, verified` };
  }
  if (dryRun)
    return {
      kind: "would",
      detail: `${known ? "" : "add it, "}publish the records of ${name} and verify it`,
    };
  const domain = known ?? (await api.createDomain(key, name));
  const sets = domain.dns_records.map((record) =>
    aliasSet(hostOf(record.name, name), record.value),
  );
  if (zone.name === null || !isWithin(name, zone.name)) {
    const checked = await api.verifyDomain(key, domain.id);
    if (checked.status === "verified") return verifiedOutcome(context, name, []);
    return waiting(
      checked,
      sets,
      "is in another zone: publish these records there, then run this again",
    );
  }
  const published: PublishOutcome[] = [];
  for (const set of sets) published.push(await publish(context, zone, set));
  const checked = await verify(context, key, domain);
  const lines = sets.map((set, index) => publishedLine(set, published[index] ?? "already"));
  if (checked.status === "verified") return verifiedOutcome(context, name, lines);
  return waiting(
    checked,
    sets,
    `${checked.verification_failure?.message ?? "DNS does not show its records yet."} ${LATER}`,
  );
}

function verifiedOutcome(context: Context, name: string, notes: readonly string[]): StepOutcome {
  context.sendingDomain = name;
  return { kind: "done", detail: `${name}, verified`, notes };
}

function waiting({ name }: Domain, sets: readonly RecordSet[], why: string): StepOutcome {
  return {
    kind: "skipped",
    detail: `${name}: ${why}`,
    notes: sets.map((set) => publishedLine(set, "already").replace("already", "needed ")),
  };
}

/** Repeats the verification, because new records become visible at different times. */
async function verify(context: Context, key: string, domain: Domain): Promise<Domain> {
  const { api, clock, terminal } = context;
  const verifyOnce = (): Promise<Domain> => api.verifyDomain(key, domain.id);
  const checked = await verifyOnce();
  if (checked.status === "verified") return checked;
  terminal.say(
    waitingLine("sending domain", `until DNS shows the records, ${WAIT_SECONDS} s at most`),
  );
  const isVerified = ({ status }: Domain): boolean => status === "verified";
  return waitUntil(clock, WAIT_SECONDS * 1000, EVERY_MS, verifyOnce, isVerified);
}

/**
 * Returns the absolute name of a record. The API gives the name relative to the registrable domain,
 * as the editor of a zone needs it.
 */
function hostOf(relative: string, domain: string): string {
  return `${relative}.${getDomain(domain, { allowPrivateDomains: true }) ?? domain}`;
}
