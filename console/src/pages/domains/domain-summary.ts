// Describes the state of a domain in a sentence, and decides when to verify it. Pure.
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { capitalized } from "../../parts/typography.ts";
import { neededRows, type RecordRow } from "./record-rows.ts";

/** The tones of parts/pill.tsx that a domain can have. */
export type DomainTone = "ok" | "wait" | "bad" | "mute";

export interface DomainSummary {
  readonly tone: DomainTone;
  readonly sentence: string;
  /** The API's code of the fault. Null: the check found no fault, or DNS has changed since. */
  readonly code: string | null;
  /** The record that the sentence names. */
  readonly about?: RecordRow;
}

/**
 * Describes the domain's state in a sentence. `rows` have the latest answers of DNS, if DNS was
 * asked.
 */
export function summarizeDomain(domain: Domain, rows: readonly RecordRow[]): DomainSummary {
  const { status, verification_failure: failure, name, sending } = domain;
  if (status === "verified") {
    if (sending?.held) return { tone: "bad", sentence: sending.message ?? "", code: sending.code };
    const lost = neededRows(rows).find((row) => isProblem(row));
    return lost?.seen
      ? {
          tone: "wait",
          sentence: `${name} stays verified, but one of its records is wrong. ${lost.seen.message}`,
          code: null,
          about: lost,
        }
      : { tone: "ok", sentence: `${name} is ready to send.`, code: null };
  }
  const problems = neededRows(rows).filter(isProblem);
  const current = problems.find(({ seen }) => failure && seen?.message.startsWith(failure.message));
  const shown = current ?? problems[0];
  if (shown?.seen)
    return {
      tone: "bad",
      sentence: shown.seen.message,
      code: current ? (failure?.code ?? null) : null,
      about: shown,
    };
  if (areAllRight(neededRows(rows)))
    return { tone: "wait", sentence: "All records are correct. Verifying…", code: null };
  if (failure) return { tone: "bad", sentence: failure.message, code: failure.code };
  return {
    tone: "wait",
    sentence: `Publish these records in DNS to send from ${name}.`,
    code: null,
  };
}

/** Returns the domain's state for a pill, such as `2 of 3 records found`. */
export function stateOf(
  { status }: Pick<Domain, "status">,
  rows: readonly RecordRow[],
): { readonly tone: DomainTone; readonly words: string } {
  if (status === "verified") return { tone: "ok", words: "Verified" };
  const needed = neededRows(rows);
  if (!needed.some(({ seen }) => seen)) return { tone: "wait", words: "Pending" };
  const right = needed.filter(({ seen }) => seen?.status === "ok").length;
  return { tone: "wait", words: `${right} of ${needed.length} records found` };
}

/**
 * Tells whether a verification can succeed now: DNS must have all records that the verification
 * needs.
 */
export function isWorthVerifying(domain: Domain, rows: readonly RecordRow[]): boolean {
  return (
    (domain.status === "pending" && areAllRight(neededRows(rows))) ||
    (domain.tracking.status === "pending" &&
      areAllRight(rows.filter(({ group }) => group === "tracking")))
  );
}

/** Tells whether the domain or its tracking waits for DNS records. */
export function isWaiting({ status, tracking }: Domain): boolean {
  return status === "pending" || tracking.status === "pending";
}

/** Describes the state of tracking. */
export function summarizeTracking(domain: Domain, rows: readonly RecordRow[]): DomainSummary {
  const { name, tracking } = domain;
  const host = `${tracking.subdomain ?? ""}.${name}`;
  const tracked = [
    ...(tracking.opens_enabled ? ["opens"] : []),
    ...(tracking.clicks_enabled ? ["clicks"] : []),
  ].join(" and ");
  if (tracking.status === "disabled")
    return { tone: "mute", sentence: "Opens and clicks are not tracked.", code: null };
  if (tracking.status === "verified")
    return {
      tone: "ok",
      sentence: `${capitalized(tracked)} are tracked through ${host}.`,
      code: null,
    };
  const { verification_failure: failure } = tracking;
  const message =
    rows.find((row) => row.group === "tracking" && isProblem(row))?.seen?.message ??
    failure?.message;
  return {
    tone: message === undefined ? "wait" : "bad",
    sentence: `Tracking starts once ${host} is verified. ${message ?? ""}`.trim(),
    code: failure && message?.startsWith(failure.message) ? failure.code : null,
  };
}

/**
 * Tells whether a needed record is missing in DNS or has a wrong value. False if DNS was not asked.
 */
export function isProblem({ seen, isNeeded }: RecordRow): boolean {
  return isNeeded && seen !== null && seen.status !== "ok";
}

function areAllRight(rows: readonly RecordRow[]): boolean {
  return rows.length > 0 && rows.every(({ seen }) => seen?.status === "ok");
}
