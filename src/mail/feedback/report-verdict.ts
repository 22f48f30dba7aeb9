// Decides the meaning of a report for the recipient whose return-path received it (contract.md
// §Bounce reports): a bounce with or without a suppression, a complaint, or nothing. A refusal of
// an address that the sender never used means nothing. Pure.
import type { Complaint } from "../../rpc/event-records.ts";
import type { BounceDetails } from "../message.ts";
import { mayConcern } from "./arf.ts";
import { findFailure, hasNamedFailure } from "./dsn.ts";
import { namesOnlyOthers, namesAnother, readReportedRecipient } from "./plain-bounce.ts";
import { bounceOf, type QuotedReply, readQuotedReply } from "./quoted-reply.ts";
import type { DeliveryReport, Report } from "./report.ts";

export type ReportVerdict =
  /**
   * `certain` is true if exactly this address was refused. An uncertain bounce must not suppress
   * the address.
   */
  | { readonly kind: "bounce"; readonly bounce: BounceDetails; readonly certain: boolean }
  | { readonly kind: "complaint"; readonly complaint: Complaint };

interface About {
  readonly recipient: string;
  /** Address of the message's sender. */
  readonly sender: string;
}

/** Matches a status that says only that delivery failed. */
const UNSPECIFIC = /^[45]\.0\.0$/;

const NO_REPLY: QuotedReply = { code: null, enhanced: null, text: "" };

/** Judges a report. Undefined means that the report says nothing about the recipient. */
export function judgeReport(report: Report, about: About): ReportVerdict | undefined {
  if (report.kind === "delivery") return judgeDelivery(report, about);
  return mayConcern(report, about.recipient)
    ? { kind: "complaint", complaint: report.complaint }
    : undefined;
}

function judgeDelivery(report: DeliveryReport, about: About): ReportVerdict | undefined {
  if (report.statuses.length > 0) return judgeStatuses(report, about);
  const { inner } = report;
  const innerVerdict = inner && judgeDelivery(inner, about);
  if (innerVerdict) return innerVerdict;
  const judged = judgeNotice(report, about, null);
  // If a covering note names no recipient, the attached report names the recipients.
  return judged && (judged.isNamed || !inner)
    ? toBounceVerdict(judged.bounce, about, judged.isNamed && !report.isFromFilter)
    : undefined;
}

function judgeStatuses(report: DeliveryReport, about: About): ReportVerdict | undefined {
  const failure = findFailure(report.statuses, about.recipient);
  if (!failure || namesOnlyOthers(report.notice, about.recipient)) return undefined;
  const { status, quotedReply } = failure.status;
  // If a status has no address, the notice says which recipient failed. If the notice names no
  // recipient either, the status is about the return-path's recipient.
  if (failure.about === "unnamed") {
    const judged = judgeNotice(report, about, status);
    if (judged)
      return toBounceVerdict(
        quotedReply ? bounceOf(quotedReply, status) : judged.bounce,
        about,
        judged.isNamed,
      );
    return report.notice || hasNamedFailure(report.statuses)
      ? undefined
      : toBounceVerdict(bounceOf(quotedReply ?? NO_REPLY, status), about, false);
  }
  const judged =
    !quotedReply && (status === null || UNSPECIFIC.test(status))
      ? judgeNotice(report, about, status)
      : undefined;
  return toBounceVerdict(
    judged?.bounce ?? bounceOf(quotedReply ?? NO_REPLY, status),
    about,
    failure.about === "same",
  );
}

function judgeNotice(
  { notice }: DeliveryReport,
  { recipient, sender }: About,
  status: string | null,
): { readonly bounce: BounceDetails; readonly isNamed: boolean } | undefined {
  const judged = notice && readReportedRecipient(notice, recipient, sender);
  const bounces = judged?.texts.map((text) => bounceOf(readQuotedReply(text), status)) ?? [];
  const bounce =
    bounces.find(
      ({ smtpCode, classification }) => smtpCode !== null || classification !== "Uncategorized",
    ) ?? bounces[0];
  return judged && bounce && { bounce, isNamed: judged.isNamed };
}

function toBounceVerdict(
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
