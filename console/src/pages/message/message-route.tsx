// The sender and the recipients of a message, each recipient as a chip with its state. A chip
// chooses the recipient whose timeline the page shows.
import { Status } from "../../parts/pill.tsx";
import { Select } from "../../parts/select.tsx";
import type { Recipient } from "./recipient-facts.ts";

/**
 * The largest number of recipients that have chips. If a message has more, a select box lists the
 * others.
 */
const MOST_CHIPS = 6;

interface MessageRouteProps {
  readonly from: string;
  /** The recipients, sorted by status. The worst status comes first. */
  readonly recipients: readonly Recipient[];
  readonly chosen: Recipient;
  readonly onChoose: (recipient: string) => void;
}

export function MessageRoute({ from, recipients, chosen, onChoose }: MessageRouteProps) {
  const shown = recipients.slice(0, MOST_CHIPS);
  const others = recipients.slice(MOST_CHIPS);
  return (
    <div className="route">
      <span>{from}</span>
      <span role="img" aria-label="to" className="muted">
        →
      </span>
      <span className="recipients" role="group" aria-label="Recipients">
        {shown.map((one) => (
          <RecipientChip
            key={one.recipient}
            recipient={one}
            isAlone={recipients.length === 1}
            isChosen={one === chosen}
            onChoose={onChoose}
          />
        ))}
        {others.length > 0 && (
          <Select
            aria-label={`${others.length} more recipients`}
            value={others.includes(chosen) ? chosen.recipient : ""}
            options={[
              ["", `${others.length} more`],
              ...others.map((one) => [one.recipient, `${one.recipient} (${one.status})`] as const),
            ]}
            onChoose={(recipient) => recipient !== "" && onChoose(recipient)}
          />
        )}
      </span>
    </div>
  );
}

interface RecipientChipProps {
  readonly recipient: Recipient;
  readonly isAlone: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (recipient: string) => void;
}

function RecipientChip({ recipient, isAlone, isChosen, onChoose }: RecipientChipProps) {
  const { recipient: address, status } = recipient;
  const content = (
    <>
      <span>{address}</span> <Status of={status} />
    </>
  );
  if (isAlone) return <span className="recipient">{content}</span>;
  return (
    <button
      type="button"
      className={isChosen ? "recipient on" : "recipient"}
      aria-pressed={isChosen}
      onClick={() => onChoose(address)}
    >
      {content}
    </button>
  );
}
