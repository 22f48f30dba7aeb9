// A provider that needs attention: what the service found, the provider's words with their counts,
// its figures beside those of the window before, and the provider's form.
import { Link } from "@tanstack/react-router";
import { formatCount } from "../../parts/figures.ts";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { logSearch, logSearchOf } from "../messages/messages-search.ts";
import { hasContact, ProviderContact } from "../deliverability/provider-contact.tsx";
import { comparedFigures, leadOf, type ProviderCard } from "./provider-cards.ts";

const REFUSALS_SHOWN = 3;

interface ProviderCardProps {
  readonly card: ProviderCard;
  /** The beginning of the findings' window, ISO 8601. */
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
        <div key={finding.kind} className="apart">
          <p>{leadOf(finding)}</p>
          <Link
            to="/messages"
            search={logSearchOf(finding.evidence.events)}
            className="btn small"
            aria-label={`Show ${finding.evidence.count}: ${leadOf(finding)}`}
          >
            Show {formatCount(finding.evidence.count)}
          </Link>
          {!hasContact(finding) && <Advice {...finding.action} />}
        </div>
      ))}
      {entry.refusals.slice(0, REFUSALS_SHOWN).map(({ kind, classification, text, ...one }) => (
        <div key={`${kind} ${classification} ${text}`}>
          <blockquote className="said">{text}</blockquote>
          <small>
            <Link
              to="/messages"
              search={logSearch({
                eventType: kind === "bounced" ? "email.bounced" : "email.delayed",
                provider: entry.provider ?? "none",
                refusal: text,
                start,
                ...(kind === "bounced" && { bounceClass: classification ?? "none" }),
              })}
            >
              {one.count === 1 ? "once" : `${formatCount(one.count)} times`}
            </Link>
            , first <TimeAgo at={one.first_at} />
          </small>
        </div>
      ))}
      <FiguresTable entry={entry} />
    </li>
  );
}

function Advice({ text, href }: ProviderCard["findings"][number]["action"]) {
  return (
    <small className="advice">
      {text}{" "}
      {href !== undefined && (
        <a href={href} target="_blank" rel="noreferrer">
          Guidelines
        </a>
      )}
    </small>
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
            24 h before
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
