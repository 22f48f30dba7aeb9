// A message to one of its recipients: the explanation, the timeline, and the facts in the right
// column.
import type { ReactNode } from "react";
import type { Email } from "../../../../packages/postern/src/generated/types.ts";
import { Panel } from "../../parts/panel.tsx";
import { TimeAgo, useClock } from "../../parts/time/time-ago.tsx";
import { MessageLine } from "./message-line.tsx";
import { ContentPanel } from "./content-panel.tsx";
import { CopyText, ExplanationPanel } from "./explanation-panel.tsx";
import { MessageReplies } from "./message-replies.tsx";
import { MessageAside } from "./message-aside.tsx";
import { MessageRoute } from "./message-route.tsx";
import { useLifted } from "./lifted-suppressions.ts";
import { useSuppressionsOf } from "./message-queries.ts";
import { isOpen, type Recipient, stopping, worstFirst } from "./recipient-facts.ts";
import { SendAgain } from "./send-again.tsx";
import { ScheduleActions } from "./schedule-actions.tsx";
import { stepsOf, stepsText } from "./timeline-steps.ts";

interface MessageViewProps {
  readonly email: Email;
  /** The recipient to show. Undefined: the page shows the recipient with the worst status. */
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
    <>
      <MessageRoute from={email.from} recipients={ordered} chosen={recipient} onChoose={onChoose} />
      <RecipientView
        key={recipient.recipient}
        email={email}
        recipient={recipient}
        lookedAt={lookedAt}
        aside={aside?.(recipient.recipient)}
      />
    </>
  );
}

interface RecipientViewProps {
  readonly email: Email;
  readonly recipient: Recipient;
  readonly lookedAt: number;
  readonly aside: ReactNode;
}

function RecipientView({ email, recipient, lookedAt, aside }: RecipientViewProps) {
  const clock = useClock();
  const { recipient: address, status, events, explanation } = recipient;
  const { data: suppressions } = useSuppressionsOf(address, `${status} ${events.length}`);
  const inForce = suppressions ?? [];
  const lifted = useLifted(address);
  const steps = stepsOf(email, recipient, { inForce, lifted }, clock);
  const text = `${explanation.summary} ${explanation.next}\n\n${email.subject}\n${email.id}\n\n${stepsText(steps, clock.zone)}\n`;
  return (
    <>
      <ExplanationPanel
        label="Outcome"
        hasState={false}
        explanation={explanation}
        suppressions={stopping(inForce, email.topic)}
        acts={
          <>
            <ScheduleActions email={email} />
            <SendAgain
              email={email}
              recipient={address}
              suppressions={stopping(inForce, email.topic)}
            />
            <CopyText text={text} />
          </>
        }
      />
      <div className="two">
        <div>
          <Panel title="Timeline" note={address}>
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
          </Panel>
          <MessageReplies email={email} recipient={address} />
          <ContentPanel id={email.id} />
        </div>
        <div>
          <MessageAside email={email} />
          {aside}
        </div>
      </div>
    </>
  );
}
