// A card for a provider that needs attention: the service's finding, the provider's replies with
// their counts, the figures of this and the previous period, and a link to the provider's contact
// form.
import { Link } from "@tanstack/react-router";
import { formatCount } from "../../parts/figures.ts";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { useZone } from "../../parts/time/time-zone.ts";
import { typeset } from "../../parts/typography.ts";
import { logSearch, logSearchOf } from "../messages/messages-search.ts";
import { hasContact, ProviderContact } from "../deliverability/provider-contact.tsx";
import { comparedFigures, leadOf, type ProviderCard, refusalsOf } from "./provider-cards.ts";

const REFUSALS_SHOWN = 3;

interface ProviderCardProps {
  readonly card: ProviderCard;
  /** The start of the findings' period, ISO 8601. */
  readonly start: string;
}

export function ProviderCardItem({ card: { entry, findings, tone }, start }: ProviderCardProps) {
  return (
    <li className="provider-card" aria-label={entry.title}>
      <div className="apart">
        <h3>
          <span
            className={`dot ${tone}`}
            role="img"
            aria-label={tone === "bad" ? "critical" : "warning"}
          />{" "}
          {entry.title}
        </h3>
        <ProviderContact findings={findings} />
      </div>
      {findings.map((finding) => (
        <FindingView key={finding.kind} finding={finding} entry={entry} start={start} />
      ))}
      <FiguresTable entry={entry} />
    </li>
  );
}

interface FindingViewProps {
  readonly finding: ProviderCard["findings"][number];
  readonly entry: ProviderCard["entry"];
  readonly start: string;
}

function FindingView({ finding, entry, start }: FindingViewProps) {
  const { evidence, action } = finding;
  const lead = typeset(leadOf(finding, useZone()));
  return (
    <>
      <div className="apart">
        <p>{lead}</p>
        <Link
          to="/messages"
          search={logSearchOf(evidence.events)}
          className="btn small"
          aria-label={`Show ${evidence.count}: ${lead}`}
        >
          Show {formatCount(evidence.count)}
        </Link>
      </div>
      {refusalsOf(finding, entry)
        .slice(0, REFUSALS_SHOWN)
        .map((refusal) => (
          <Quote key={refusal.text} refusal={refusal} provider={entry.provider} start={start} />
        ))}
      {!hasContact(finding) && (
        <small>
          {typeset(action.text)}{" "}
          {action.href !== undefined && (
            <a href={action.href} target="_blank" rel="noreferrer">
              Guidelines
            </a>
          )}
        </small>
      )}
    </>
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
          search={logSearch({
            eventType: isBounce ? "email.bounced" : "email.delayed",
            provider: provider ?? "none",
            refusal: text,
            start,
            ...(isBounce && { bounceClass: classification ?? "none" }),
          })}
        >
          {count === 1 ? "once" : `${formatCount(count)} times`}
        </Link>
        , first seen <TimeAgo at={at} />
      </small>
    </div>
  );
}

function FiguresTable({ entry }: Pick<ProviderCard, "entry">) {
  return (
    <table className="compared">
      <thead>
        <tr>
          <td />
          <th scope="col" className="n">
            Last 24 h
          </th>
          <th scope="col" className="n">
            Previous 24 h
          </th>
        </tr>
      </thead>
      <tbody>
        {comparedFigures(entry).map(([name, now, before]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="n">{now}</td>
            <td className="n">{before ?? "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
