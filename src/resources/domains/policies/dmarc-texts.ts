// Makes the sentences that describe DMARC results. If both RFCs agree, one sentence covers both. If
// they differ, each RFC gets its own sentence. Pure.
import { type Action, dmarcHost } from "./dmarc-record.ts";
import { type DmarcResult, oneLess } from "./dmarc-result.ts";

type Known = Exclude<DmarcResult, { kind: "unknown" }>;
type Policy = Extract<DmarcResult, { kind: "policy" }>;

export interface BothDmarcResults<Of> {
  readonly newer: Of;
  readonly older: Of;
}

const HANDLING: Readonly<Record<Action, string>> = {
  none: "treat mail that fails DMARC like any other",
  quarantine: "quarantine mail that fails DMARC",
  reject: "refuse mail that fails DMARC",
};
const PART: Readonly<Record<Action, string>> = {
  none: "treat the rest like any other mail",
  quarantine: "quarantine the rest",
  reject: "refuse the rest",
};

/** Returns whether both RFCs find the same record and ask receivers for the same action. */
export function doAgree({ newer, older }: BothDmarcResults<Known>): boolean {
  if (newer.kind !== older.kind) return false;
  if (newer.kind === "absent" || older.kind === "absent") return true;
  if (newer.domain !== older.domain) return false;
  if (newer.kind !== "policy" || older.kind !== "policy") return true;
  return newer.asked === older.asked && newer.share === older.share;
}

export function describeDmarcResults(domain: string, both: BothDmarcResults<Known>): string[] {
  const { newer, older } = both;
  return doAgree(both)
    ? [toSentence(clauseFor(domain, newer, older))]
    : [
        `By RFC 9989, ${clauseFor(domain, newer)}.`,
        `By RFC 7489, which other receivers follow, ${shorten(clauseFor(domain, older), newer)}.`,
      ];
}

/** Names each RFC's organizational domain if the two domains differ. */
export function sayOrganizations({ newer, older }: BothDmarcResults<string | null>): string[] {
  return newer === null || newer === older
    ? []
    : [
        `By RFC 9989, the organizational domain is ${newer}.`,
        `By RFC 7489, the organizational domain is ${older}.`,
      ];
}

/** Describes one RFC's result in a clause. `twin` is the other RFC's result, if both agree. */
function clauseFor(domain: string, verdict: Known, twin?: Known): string {
  if (verdict.kind === "absent") return `${domain} has no DMARC record`;
  const host = dmarcHost(verdict.domain);
  if (verdict.kind === "several")
    return (
      `${host} has ${verdict.count} DMARC records where one is allowed, so receivers use none of ` +
      "them"
    );
  if (verdict.kind === "void")
    return (
      `the DMARC record at ${host} has no valid ${verdict.tag}=, so receivers ` +
      (verdict.isMonitored ? "treat it as p=none" : "ignore it")
    );
  const lowering = [verdict, twin].flatMap((one) =>
    one?.kind === "policy" && one.loweredBy !== null ? [one.loweredBy] : [],
  );
  return (
    `the DMARC record at ${host} asks receivers to ${handlingOf(verdict)} ` +
    `(${verdict.tag}=${verdict.published}` +
    `${lowering.length > 0 ? `, made weaker by ${lowering.join(" and ")}` : ""})`
  );
}

/** Shortens a clause about the record that the previous clause has already named. */
function shorten(clause: string, newer: Known): string {
  return newer.kind === "policy"
    ? clause.replace(
        `the DMARC record at ${dmarcHost(newer.domain)} asks receivers`,
        "it asks them",
      )
    : clause;
}

function handlingOf({ asked, share }: Policy): string {
  if (share === 100) return HANDLING[asked];
  const part = HANDLING[asked].replace("mail", `${share} % of the mail`);
  return `${part} and to ${PART[oneLess(asked)]}`;
}

function toSentence(clause: string): string {
  return `${clause.startsWith("the ") ? `T${clause.slice(1)}` : clause}.`;
}
