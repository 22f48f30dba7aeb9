// The columns of the two lists: messages, and single events.
import type { ListColumn } from "../../parts/list/record-list.tsx";
import { agoColumn } from "../../parts/list/time-column.tsx";
import { Status } from "../../parts/pill.tsx";
import { subjectText } from "../../parts/typography.ts";
import {
  bounceBrief,
  bounceReason,
  type MessageGroup,
  type RecipientGroup,
} from "./message-groups.ts";
import { bounceName, bounceSentence } from "../message/bounce-sentence.ts";
import type { LogEvent } from "./newest-events.ts";

export const EVENT_COLUMNS: readonly ListColumn<LogEvent>[] = [
  { name: "Event", cell: ({ type }) => <Status of={type} />, width: "status" },
  { name: "To", cell: ({ recipient }) => recipient, width: "long", isNaming: true },
  {
    name: "Subject",
    cell: ({ subject }) => subjectText(subject),
    isSecondary: true,
    width: "longest",
  },
  { name: "Details", cell: reasonOf, isSecondary: true, width: "outcome" },
  agoColumn("Time", (event) => event.occurred_at),
];

export const MESSAGE_COLUMNS = messageColumns("Outcome");
/** Columns for a period that has already ended. */
export const PAST_MESSAGE_COLUMNS = messageColumns("Outcome in the period");

function messageColumns(outcome: string): readonly ListColumn<MessageGroup>[] {
  return [
    { name: "Subject", cell: ({ last }) => subjectText(last.subject), width: "longest" },
    { name: "To", cell: recipientsOf, width: "long", isNaming: true },
    { name: outcome, cell: outcomeOf, width: "outcome" },
    agoColumn("Last event", ({ last }) => last.occurred_at),
  ];
}

function recipientsOf({ recipients }: MessageGroup) {
  const [first] = recipients;
  const others = recipients.length - 1;
  return (
    <span className="cut" title={recipients.map(({ recipient }) => recipient).join(", ")}>
      <span>{first?.recipient}</span>
      {others > 0 && <small> + {others} more</small>}
    </span>
  );
}

function outcomeOf({ recipients }: MessageGroup) {
  const [worst] = recipients;
  if (!worst) return null;
  return (
    <span title={bounceReason(worst)}>
      <Status of={worst.status} />
      <small className={worst.status === "delayed" ? "second" : ""}> {briefOf(worst)}</small>
    </span>
  );
}

/** Returns a short addition for a status that is not clear alone. */
function briefOf(group: RecipientGroup): string {
  const { status, events } = group;
  if (status !== "delayed") return bounceBrief(group);
  const attempts = Math.max(...events.map(({ attempt }) => attempt ?? 1));
  return attempts === 1 ? "after one attempt" : `after ${attempts} attempts`;
}

function reasonOf(event: LogEvent) {
  const { type, smtp_code: code, tracking, attempt } = event;
  if (type === "email.bounced")
    return (
      <span title={bounceSentence(event)}>
        {bounceName(event)} {code !== null && <code>{code}</code>}
      </span>
    );
  if (type === "email.clicked" && tracking?.url !== undefined) return <code>{tracking.url}</code>;
  if (type !== "email.delayed" || code === null) return null;
  return (
    <>
      Attempt {attempt} <code>{code}</code>
    </>
  );
}
