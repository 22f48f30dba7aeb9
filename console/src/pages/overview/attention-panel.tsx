// The list of problems, with one line for each, the most urgent first. The providers' findings come
// before other problems of the same urgency. A screen reader announces the number of problems when
// it changes.
import { Link } from "@tanstack/react-router";
import type { Deliverability } from "../../../../packages/postern/src/generated/types.ts";
import { Panel } from "../../parts/panel.tsx";
import { type Concern, URGENCY } from "./attention.ts";
import { cardsOf } from "./provider-cards.ts";
import { ProviderFinding } from "./provider-finding.tsx";

const SAYS = { bad: "critical", wait: "warning", mute: "notice" };

interface AttentionPanelProps {
  /** The service's report on the mail of the last 24 hours. Undefined: it was not read yet. */
  readonly mail: Deliverability | undefined;
  readonly concerns: readonly Concern[];
  /** True: some answers are still loading. */
  readonly isLooking: boolean;
  /**
   * The names of the data whose requests failed, such as `webhooks`. Problems in this data are
   * unknown.
   */
  readonly failed: readonly string[];
}

export function AttentionPanel({ mail, concerns, isLooking, failed }: AttentionPanelProps) {
  const cards = mail ? cardsOf(mail) : [];
  const count = (mail?.findings.length ?? 0) + concerns.length;
  const isKnown = !isLooking && failed.length === 0;
  return (
    <Panel title="Needs attention" note={isKnown && count > 0 ? count : undefined}>
      <p className="unseen" role="status">
        {isKnown ? needWords(count) : ""}
      </p>
      <ul className="plain strip">
        {isLooking && <li className="quiet">Checking…</li>}
        {isKnown && count === 0 && <li className="quiet">Nothing needs attention.</li>}
        {URGENCY.flatMap((tone) => [
          ...cards
            .filter((card) => card.tone === tone)
            .flatMap(({ entry, findings }) =>
              findings.map((finding) => (
                <ProviderFinding
                  key={`${entry.title} ${finding.kind}`}
                  entry={entry}
                  finding={finding}
                  start={mail?.start ?? ""}
                />
              )),
            ),
          ...concerns
            .filter((concern) => concern.tone === tone)
            .map((concern) => <ConcernItem key={concern.id} concern={concern} />),
        ])}
        {failed.map((name) => (
          <li key={name} className="concern">
            <span className="dot mute" role="img" aria-label="unknown" title="unknown" />
            <p>Could not load {name}. Retrying within a minute.</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function needWords(count: number): string {
  return `${count} ${count === 1 ? "item needs" : "items need"} attention.`;
}

function ConcernItem({ concern }: { readonly concern: Concern }) {
  const { tone, name, says, evidence, to, search, act } = concern;
  return (
    <li className="concern">
      <span className={`dot ${tone}`} role="img" aria-label={SAYS[tone]} title={SAYS[tone]} />
      <p>
        {name !== null && (
          <>
            <code>{name}</code>{" "}
          </>
        )}
        {says} <small>{evidence}</small>
      </p>
      <span className="acts">
        <Link
          to={to}
          search={search}
          className="btn small"
          aria-label={`${act}: ${name ?? ""} ${says}`}
        >
          {act}
        </Link>
      </span>
    </li>
  );
}
