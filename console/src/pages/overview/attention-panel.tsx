// The list of what needs attention: first a card for each provider with findings, then webhooks,
// domains and quotas, the most urgent first. A screen reader announces the number of entries when
// it changes.
import { Link } from "@tanstack/react-router";
import type { Deliverability } from "../../../../packages/postern/src/generated/types.ts";
import { Panel } from "../../parts/panel.tsx";
import { type Concern, URGENCY } from "./attention.ts";
import { ProviderCardItem } from "./provider-card.tsx";
import { cardsOf } from "./provider-cards.ts";

const SAYS = { bad: "critical", wait: "warning", mute: "notice" };

interface AttentionPanelProps {
  /** The service's report about the mail of the last 24 hours; undefined: not read yet. */
  readonly mail: Deliverability | undefined;
  readonly concerns: readonly Concern[];
  /** True while some answers are still loading. */
  readonly isLooking: boolean;
  /**
   * Names the data whose requests failed, such as `webhooks`. Problems in that data stay unknown.
   */
  readonly failed: readonly string[];
}

export function AttentionPanel({ mail, concerns, isLooking, failed }: AttentionPanelProps) {
  const cards = mail ? cardsOf(mail) : [];
  const count = cards.length + concerns.length;
  const isKnown = !isLooking && failed.length === 0;
  return (
    <Panel title="Needs attention" note={isKnown && count > 0 ? count : undefined}>
      <p className="unseen" role="status">
        {isKnown ? needWords(count) : ""}
      </p>
      <ul className="plain">
        {isLooking && <li className="empty">Checking…</li>}
        {isKnown && count === 0 && <li className="empty">Nothing needs attention.</li>}
        {URGENCY.flatMap((tone) => [
          ...cards
            .filter((card) => card.tone === tone)
            .map((card) => (
              <ProviderCardItem key={card.entry.title} card={card} start={mail?.start ?? ""} />
            )),
          ...concerns
            .filter((concern) => concern.tone === tone)
            .map((concern) => <ConcernItem key={concern.id} concern={concern} />),
        ])}
        {failed.map((name) => (
          <li key={name} className="todo">
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
    <li className="todo">
      <span className={`dot ${tone}`} role="img" aria-label={SAYS[tone]} title={SAYS[tone]} />
      <p>
        {name !== null && (
          <>
            <code>{name}</code>{" "}
          </>
        )}
        {says}
        <br />
        <small>{evidence}</small>
      </p>
      <Link
        to={to}
        search={search}
        className="btn small"
        aria-label={`${act}: ${name ?? ""} ${says}`}
      >
        {act}
      </Link>
    </li>
  );
}
