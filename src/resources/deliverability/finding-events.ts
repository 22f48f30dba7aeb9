// Makes the URL of the request that lists the events of a finding (contract.md §Deliverability).
// Pure.
import type { EventType } from "../../rpc/event-types.ts";
import { NO_PROVIDER, type RealProvider } from "../providers/provider-of.ts";
import type { MailFinding } from "./wire.ts";

interface FindingEvents {
  readonly kind: MailFinding["kind"];
  readonly provider: RealProvider | null;
  /** Unix milliseconds. */
  readonly start: number;
  /** The end of the events' window, Unix milliseconds. Null: the window ends now. */
  readonly end: number | null;
  /** Bounce classes that the finding counts. Empty: the events are not bounces. */
  readonly classes: readonly string[];
  /** The text of the refusals. Null: the refusals have different texts. */
  readonly refusal: string | null;
}

const TYPES: Readonly<Record<MailFinding["kind"], EventType>> = {
  refuses_all: "email.bounced",
  refuses_many: "email.bounced",
  defers_all: "email.delayed",
  defers_many: "email.delayed",
  unknown_recipients: "email.bounced",
  complaints: "email.complained",
};

export function pathOfEvents(events: FindingEvents): string {
  const { kind, provider, start, end, classes, refusal } = events;
  const query = new URLSearchParams({
    event_type: TYPES[kind],
    provider: provider ?? NO_PROVIDER,
    start: new Date(start).toISOString(),
  });
  if (end !== null) query.set("end", new Date(end).toISOString());
  if (classes.length > 0) query.set("bounce_classification", classes.join(","));
  if (refusal !== null) query.set("refusal", refusal);
  return `/v1/events?${query.toString()}`;
}
