// Shows the recipients without a final outcome by state, and how fast their mail is released.
import type { Usage } from "../../../../packages/postern/src/generated/types.ts";
import { formatCount } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { Pill } from "../../parts/pill.tsx";
import { ShortTable, type TableColumn } from "../../parts/list/short-table.tsx";
import type { Tone } from "../../parts/tone.ts";
import { ExactTime, useNow } from "../../parts/time/time-ago.tsx";
import { releaseTime, type WaitingState, waitingStates } from "./usage-figures.ts";
import { releaseSentence, waitingSentence } from "./usage-texts.ts";

const TONES: Readonly<Record<WaitingState["name"], Tone>> = {
  waiting: "mute",
  queued: "mute",
  attempting: "see",
  deferred: "wait",
  awaiting: "see",
};

const COLUMNS: readonly TableColumn<WaitingState>[] = [
  { name: "Status", cell: ({ name, title }) => <Pill tone={TONES[name]}>{title}</Pill> },
  { name: "Meaning", cell: ({ means }) => means },
  { name: "Recipients", cell: ({ count }) => formatCount(count), isNumber: true },
];

export function WaitingMail({ usage }: { readonly usage: Usage }) {
  const now = useNow();
  const states = waitingStates(usage).filter(({ count }) => count > 0);
  const total = states.reduce((sum, { count }) => sum + count, 0);
  const { waiting, rate_per_minute: perMinute, oldest_accepted_at: oldest } = usage.delivery;
  return (
    <Panel title="Pending mail" note={formatCount(total)}>
      <div className="padded">
        <p className="unseen" role="status">
          {waitingSentence(total, null)}
        </p>
        <p>
          {waitingSentence(total, oldest === null ? null : Math.max(0, now - Date.parse(oldest)))}
        </p>
        <p className="muted">
          {releaseSentence(waiting, perMinute, releaseTime(usage))}
          {oldest !== null && (
            <>
              {" "}
              The oldest message was accepted on <ExactTime at={oldest} />.
            </>
          )}
        </p>
      </div>
      {states.length > 0 && (
        <ShortTable
          aria-label="Pending recipients by status"
          columns={COLUMNS}
          rows={states}
          keyOf={({ name }) => name}
        />
      )}
    </Panel>
  );
}
