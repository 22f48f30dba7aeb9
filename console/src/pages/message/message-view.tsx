// A message to one of its recipients: the explanation, the timeline, and the facts beside them.
import type { ReactNode } from "react";
import type { Email } from "../../../../packages/postern/src/generated/types.ts";
import { Segments } from "../../parts/segments.tsx";
import { TimeAgo, useClock } from "../../parts/time/time-ago.tsx";
import { MessageLine } from "./message-line.tsx";
import { CopyText, ExplanationPanel } from "./explanation-panel.tsx";
import { MessageAside } from "./message-aside.tsx";
import { useLifted } from "./lifted-suppressions.ts";
import { useSuppressionsOf } from "./message-queries.ts";
import { isOpen, type Recipient, stopping, worstFirst } from "./recipient-facts.ts";
import { ScheduleActions } from "./schedule-actions.tsx";
import { stepsOf, stepsText } from "./timeline-steps.ts";

/**
 * The largest number of recipients, and of characters in their names together, for which each
 * recipient has a button. Above either limit, the page shows a select box instead.
 */
const MOST_SEGMENTS = 4;
const MOST_CHARACTERS = 40;

interface MessageViewProps {
  readonly email: Email;
  /** The recipient to show; undefined: the recipient with the worst status. */
  readonly chosen: string | undefined;
  readonly onChoose: (recipient: string) => void;
  /** The time at which the message was read, Unix milliseconds. */
  readonly lookedAt: number;
  /** Returns the content to show under the facts in the right column. */
  readonly aside?: (recipient: string) => ReactNode;
}

export function MessageView(props: MessageViewProps) {
  const { email, chosen, onChoose, lookedAt, aside } = props;
  const ordered = worstFirst(email.recipients);
  const recipient =
    ordered.find((one) => one.recipient.toLowerCase() === chosen?.toLowerCase()) ?? ordered[0];
  if (!recipient) return null;
  return (
    <RecipientView
      key={recipient.recipient}
      email={email}
      recipient={recipient}
      lookedAt={lookedAt}
      choice={<RecipientChoice recipients={ordered} chosen={recipient} onChoose={onChoose} />}
      aside={aside?.(recipient.recipient)}
    />
  );
}

interface RecipientViewProps {
  readonly email: Email;
  readonly recipient: Recipient;
  readonly lookedAt: number;
  readonly choice: ReactNode;
  readonly aside: ReactNode;
}

function RecipientView({ email, recipient, lookedAt, choice, aside }: RecipientViewProps) {
  const clock = useClock();
  const { recipient: address, status, events, explanation } = recipient;
  const { data: suppressions } = useSuppressionsOf(address, `${status} ${events.length}`);
  const inForce = suppressions ?? [];
  const lifted = useLifted(address);
  const steps = stepsOf(email, recipient, { inForce, lifted }, clock);
  const text = `${explanation.summary} ${explanation.next}\n\n${email.subject}\n${email.id}\n\n${stepsText(steps, clock.zone)}\n`;
  const place = email.recipients.length > 1 ? ` · 1 of ${email.recipients.length} recipients` : "";
  return (
    <>
      <ExplanationPanel
        label="Outcome"
        explanation={explanation}
        suppressions={stopping(inForce, email.topic)}
        acts={
          <>
            <ScheduleActions email={email} />
            <CopyText text={text} />
          </>
        }
      />
      <div className="two">
        <section className="panel" aria-label="Timeline">
          <div className="top">
            <h2>{email.subject === "" ? "(no subject)" : email.subject}</h2>
            <small>
              to {address}
              {place}
            </small>
            <span className="right">{choice}</span>
          </div>
          {email.events_truncated && (
            <p className="empty">
              This message has too many events to show all of them. The oldest are left out.
            </p>
          )}
          <MessageLine steps={steps} />
          {isOpen(email) && (
            <p className="padded muted">
              Updates automatically. Checked <TimeAgo at={lookedAt} />.
            </p>
          )}
        </section>
        <div>
          <MessageAside email={email} />
          {aside}
        </div>
      </div>
    </>
  );
}

interface RecipientChoiceProps {
  readonly recipients: readonly Recipient[];
  readonly chosen: Recipient;
  readonly onChoose: (recipient: string) => void;
}

function RecipientChoice({ recipients, chosen, onChoose }: RecipientChoiceProps) {
  if (recipients.length === 1) return null;
  const names = recipients.map(({ recipient }) => shortOf(recipient, recipients));
  if (recipients.length <= MOST_SEGMENTS && names.join("").length <= MOST_CHARACTERS)
    return (
      <Segments
        label="Recipient"
        values={recipients.map(({ recipient }, index) => [recipient, names[index] ?? ""])}
        chosen={chosen.recipient}
        onChoose={onChoose}
      />
    );
  return (
    <label>
      Recipient{" "}
      <select value={chosen.recipient} onChange={(event) => onChoose(event.target.value)}>
        {recipients.map(({ recipient, status }) => (
          <option key={recipient} value={recipient}>
            {recipient} ({status})
          </option>
        ))}
      </select>
    </label>
  );
}

/**
 * Returns the local part of the address, or the whole address if another recipient has the same
 * local part.
 */
function shortOf(address: string, all: readonly Recipient[]): string {
  const nameOf = (text: string): string => text.slice(0, text.lastIndexOf("@"));
  const isAlone = all.filter(({ recipient }) => nameOf(recipient) === nameOf(address)).length === 1;
  return isAlone ? nameOf(address) : address;
}
