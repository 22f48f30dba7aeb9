// What a report means for the recipient whose return-path it came to (spec.md "Events"): a bounce, with a suppression or without, a complaint, or nothing,
// as for a refusal of an address that the sender never used. Pure.
import type { Complaint } from "../../resources/events/records.ts";
import type { BounceFacts } from "../message.ts";
import { concerns } from "./arf.ts";
import { failureAmong } from "./dsn.ts";
import { namesAnother, wordsAbout } from "./plain-bounce.ts";
import { bounceOf, type Refusal, refusalIn } from "./refusal.ts";
import type { DeliveryReport, Report } from "./report.ts";

export type Finding =
  /** `certain`: it was this very address that was refused. Otherwise the refusal may not suppress it. */
  | { readonly kind: "bounce"; readonly bounce: BounceFacts; readonly certain: boolean }
  | { readonly kind: "complaint"; readonly complaint: Complaint };

interface About {
  readonly recipient: string;
  /** The message's sender. */
  readonly sender: string;
}

/** A status that says no more than that it failed. */
const UNTOLD = /^[45]\.0\.0$/;

const NO_WORDS: Refusal = { code: null, enhanced: null, text: "" };

/** Undefined: nothing. */
export function findingOf(report: Report, about: About): Finding | undefined {
  if (report.kind === "delivery")
    return report.statuses.length > 0 ? ofStatuses(report, about) : toFinding(ofNotice(report, about, null), about);
  return concerns(report, about.recipient) ? { kind: "complaint", complaint: report.complaint } : undefined;
}

function ofStatuses(report: DeliveryReport, about: About): Finding | undefined {
  const failure = failureAmong(report.statuses, about.recipient);
  if (!failure) return undefined;
  const { status, refusal } = failure.status;
  // Without an address in it, only what it says to people can tell whom it means.
  if (failure.about === "unnamed") {
    const told = ofNotice(report, about, status);
    return toFinding(told && refusal ? bounceOf(refusal, status) : told, about);
  }
  const told = !refusal && (status === null || UNTOLD.test(status)) ? ofNotice(report, about, status) : undefined;
  return toFinding(told ?? bounceOf(refusal ?? NO_WORDS, status), about, failure.about === "same");
}

function ofNotice({ notice }: DeliveryReport, { recipient, sender }: About, status: string | null): BounceFacts | undefined {
  const words = (notice && wordsAbout(notice, recipient, sender)) ?? [];
  const bounces = words.map((text) => bounceOf(refusalIn(text), status));
  return bounces.find(({ smtpCode, classification }) => smtpCode !== null || classification !== "Uncategorized") ?? bounces[0];
}

function toFinding(bounce: BounceFacts | undefined, { recipient, sender }: About, isNamed = true): Finding | undefined {
  return bounce && { kind: "bounce", bounce, certain: isNamed && !namesAnother(bounce.smtpResponse ?? "", recipient, sender) };
}
