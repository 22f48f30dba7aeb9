// Decides the meaning of a report for the recipient whose return-path it came to (contract.md
// §Bounce reports): a bounce, with a suppression or without, a complaint, or nothing, as for a
// refusal of an address that the sender never used. Pure.
import type { Complaint } from "../../contracts/event-records.ts";
import type { BounceDetails } from "../message.ts";
import { concerns } from "./arf.ts";
import { failureAmong, namesAFailure } from "./dsn.ts";
import { failedElsewhere, namesAnother, wordsAbout } from "./plain-bounce.ts";
import { bounceOf, type QuotedReply, readQuotedReply } from "./quoted-reply.ts";
import type { DeliveryReport, Report } from "./report.ts";

export type ReportVerdict =
  /**
   * `certain`: it was this very address that was refused. Otherwise the refusal may not suppress
   * it.
   */
  | { readonly kind: "bounce"; readonly bounce: BounceDetails; readonly certain: boolean }
  | { readonly kind: "complaint"; readonly complaint: Complaint };

interface About {
  readonly recipient: string;
  /** The message's sender. */
  readonly sender: string;
}

/** A status that says no more than that it failed. */
const UNTOLD = /^[45]\.0\.0$/;

const NO_WORDS: QuotedReply = { code: null, enhanced: null, text: "" };

/** Undefined: nothing. */
export function judgeReport(report: Report, about: About): ReportVerdict | undefined {
  if (report.kind === "delivery") return ofDelivery(report, about);
  return concerns(report, about.recipient)
    ? { kind: "complaint", complaint: report.complaint }
    : undefined;
}

function ofDelivery(report: DeliveryReport, about: About): ReportVerdict | undefined {
  if (report.statuses.length > 0) return ofStatuses(report, about);
  const { inner } = report;
  const within = inner && ofDelivery(inner, about);
  if (within) return within;
  const told = ofNotice(report, about, null);
  // A cover that names nobody is about those whom the report in it names.
  return told && (told.isNamed || !inner)
    ? toFinding(told.bounce, about, told.isNamed && !report.isFilters)
    : undefined;
}

function ofStatuses(report: DeliveryReport, about: About): ReportVerdict | undefined {
  const failure = failureAmong(report.statuses, about.recipient);
  if (!failure || failedElsewhere(report.notice, about.recipient)) return undefined;
  const { status, refusal } = failure.status;
  // Without an address in it, what it says to people tells whom it means; where they are told of
  // nobody, it means the return-path's recipient.
  if (failure.about === "unnamed") {
    const told = ofNotice(report, about, status);
    if (told)
      return toFinding(refusal ? bounceOf(refusal, status) : told.bounce, about, told.isNamed);
    return report.notice || namesAFailure(report.statuses)
      ? undefined
      : toFinding(bounceOf(refusal ?? NO_WORDS, status), about, false);
  }
  const told =
    !refusal && (status === null || UNTOLD.test(status))
      ? ofNotice(report, about, status)
      : undefined;
  return toFinding(
    told?.bounce ?? bounceOf(refusal ?? NO_WORDS, status),
    about,
    failure.about === "same",
  );
}

function ofNotice(
  { notice }: DeliveryReport,
  { recipient, sender }: About,
  status: string | null,
): { readonly bounce: BounceDetails; readonly isNamed: boolean } | undefined {
  const told = notice && wordsAbout(notice, recipient, sender);
  const bounces = told?.words.map((text) => bounceOf(readQuotedReply(text), status)) ?? [];
  const bounce =
    bounces.find(
      ({ smtpCode, classification }) => smtpCode !== null || classification !== "Uncategorized",
    ) ?? bounces[0];
  return told && bounce && { bounce, isNamed: told.isNamed };
}

function toFinding(
  bounce: BounceDetails,
  { recipient, sender }: About,
  isNamed: boolean,
): ReportVerdict {
  return {
    kind: "bounce",
    bounce,
    certain: isNamed && !namesAnother(bounce.smtpResponse ?? "", recipient, sender),
  };
}
