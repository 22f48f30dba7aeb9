// A provider's finding in one line: the provider, the time, the count, the code of the reply, and
// links to the messages and to the provider's form. The open finding quotes the replies with their
// counts, and compares the figures with the previous period.
import { Link } from "@tanstack/react-router";
import type { DeliverabilityFinding } from "../../../../packages/postern/src/generated/types.ts";
import { formatCount } from "../../parts/figures.ts";
import { ShortTable, type TableColumn } from "../../parts/list/short-table.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { useZone } from "../../parts/time/time-zone.ts";
import { typeset } from "../../parts/typography.ts";
import { logSearchOf } from "../messages/messages-search.ts";
import { hasContact, ProviderContact } from "../deliverability/provider-contact.tsx";
import {
  codeOf,
  comparedFigures,
  leadOf,
  type ProviderCard,
  refusalsOf,
} from "./provider-cards.ts";

const REFUSALS_SHOWN = 3;

interface ProviderFindingProps {
  readonly entry: ProviderCard["entry"];
  readonly finding: DeliverabilityFinding;
  /** The start of the findings' period, ISO 8601. */
  readonly start: string;
}

export function ProviderFinding({ entry, finding, start }: ProviderFindingProps) {
  const { evidence, action, severity } = finding;
  const lead = typeset(leadOf(finding, useZone()));
  const code = codeOf(evidence.reply);
  const refusals = refusalsOf(finding, entry).slice(0, REFUSALS_SHOWN);
  return (
    <li className="concern" aria-label={entry.title}>
      <span
        className={`dot ${severity === "critical" ? "bad" : "wait"}`}
        role="img"
        aria-label={severity}
        title={severity}
      />
      <details>
        <summary>
          {lead} {code !== null && <code>{code}</code>}
        </summary>
        {refusals.map((refusal) => (
          <Quote key={refusal.text} refusal={refusal} provider={entry.provider} start={start} />
        ))}
        {!hasContact(finding) && <p className="muted">{typeset(action.text)}</p>}
        <ShortTable
          className="compared"
          columns={COMPARED}
          rows={comparedFigures(entry)}
          keyOf={([name]) => name}
        />
      </details>
      <span className="acts">
        <Link
          to="/messages"
          search={logSearchOf(evidence.events)}
          className="btn small"
          aria-label={`Show ${evidence.count}: ${lead}`}
        >
          Show {formatCount(evidence.count)}
        </Link>
        <ActionButton finding={finding} />
      </span>
    </li>
  );
}

/** The link to the page on which the person can do the finding's action. */
function ActionButton({ finding }: { readonly finding: DeliverabilityFinding }) {
  const { href } = finding.action;
  if (href === undefined || hasContact(finding)) return <ProviderContact findings={[finding]} />;
  return href.startsWith("/") ? (
    <Link to="/domains" className="btn small">
      DNS records
    </Link>
  ) : (
    <a className="btn small" href={href} target="_blank" rel="noreferrer">
      Guidelines
    </a>
  );
}

interface QuoteProps {
  readonly refusal: ProviderCard["entry"]["refusals"][number];
  readonly provider: ProviderCard["entry"]["provider"];
  readonly start: string;
}

/** A reply of a provider, with a link to the events that have this reply. */
function Quote({ refusal, provider, start }: QuoteProps) {
  const { kind, classification, text, count, first_at: at } = refusal;
  const isBounce = kind === "bounced";
  return (
    <div>
      <blockquote className="said">{text}</blockquote>
      <small>
        <Link
          to="/messages"
          search={{
            event_type: isBounce ? "email.bounced" : "email.delayed",
            provider: provider ?? "none",
            refusal: text,
            start,
            ...(isBounce && { bounce_classification: classification ?? "none" }),
          }}
        >
          {count === 1 ? "once" : `${formatCount(count)} times`}
        </Link>
        , first seen <TimeAgo at={at} />
      </small>
    </div>
  );
}

const COMPARED: readonly TableColumn<ReturnType<typeof comparedFigures>[number]>[] = [
  { name: "", cell: ([name]) => name, isHeading: true },
  { name: "Last 24 h", cell: ([, now]) => now, isNumber: true },
  { name: "Previous 24 h", cell: ([, , before]) => before ?? "–", isNumber: true },
];
