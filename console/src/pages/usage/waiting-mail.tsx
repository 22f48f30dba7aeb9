// Shows the recipients without a final outcome by state, and how fast their mail is released.
import type { Usage } from "../../../../packages/postern/src/generated/types.ts";
import { formatCount } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { Pill } from "../../parts/pill.tsx";
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
        <table aria-label="Pending recipients by status">
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Meaning</th>
              <th scope="col" className="n">
                Recipients
              </th>
            </tr>
          </thead>
          <tbody>
            {states.map(({ name, title, means, count }) => (
              <tr key={name}>
                <td>
                  <Pill tone={TONES[name]}>{title}</Pill>
                </td>
                <td>{means}</td>
                <td className="n">{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
