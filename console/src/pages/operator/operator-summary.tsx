// The first panel of the overview. It shows the worst problem, or that nothing needs attention.
// Other problems of the deployment follow below.
import { Link } from "@tanstack/react-router";
import { formatCount } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { Pill } from "../../parts/pill.tsx";
import type { OperatorConcern, OverviewSummary } from "./overview-summary.ts";

const WORDS = { bad: "Critical", wait: "Warning" } as const;

interface OperatorVerdictProps {
  readonly verdict: OverviewSummary;
  /** Describes how much was checked. It is shown if nothing needs attention. */
  readonly checked: string;
}

export function OperatorSummary({ verdict, checked }: OperatorVerdictProps) {
  if (verdict.kind === "concern") return <WorstConcern {...verdict} />;
  const [tone, word, head, rest] = SAID[verdict.kind];
  return (
    <section className={`panel verdict ${tone}`} aria-label="Summary">
      <Pill tone={tone}>{word}</Pill>
      <p aria-live="polite">
        <strong>
          {verdict.kind === "unread" ? `No data for: ${verdict.unread.join(", ")}.` : head}
        </strong>{" "}
        {verdict.kind === "fine" ? checked : rest}
      </p>
      <span />
    </section>
  );
}

const SAID = {
  fine: ["ok", "OK", "Nothing needs attention.", ""],
  checking: ["mute", "Checking", "Checking gateways, metrics and teams’ mail …", ""],
  unread: [
    "wait",
    "Incomplete",
    "",
    "Nothing else needs attention. The console tries again within 30 seconds.",
  ],
} as const;

interface WorstConcernProps {
  readonly worst: OperatorConcern;
  readonly more: number;
}

function WorstConcern({ worst, more }: WorstConcernProps) {
  const { tone, head, rest, evidence } = worst;
  return (
    <section className={`panel verdict ${tone}`} aria-label="Summary">
      <Pill tone={tone}>Needs attention</Pill>
      <p aria-live="polite">
        <strong>{head}</strong> {rest}
        {more > 0 && ` ${formatCount(more)} more ${more === 1 ? "problem" : "problems"} below.`}
        {evidence !== "" && (
          <>
            <br />
            <code>{evidence}</code>
          </>
        )}
      </p>
      <ConcernLink concern={worst} className="btn" />
    </section>
  );
}

export function OtherConcerns({ concerns }: { readonly concerns: readonly OperatorConcern[] }) {
  if (concerns.length === 0) return null;
  return (
    <Panel title="Also needs attention" note={formatCount(concerns.length)}>
      {concerns.map((concern) => (
        <div key={concern.id} className="todo stack">
          <Pill tone={concern.tone}>{WORDS[concern.tone]}</Pill>
          <p>
            {concern.head} {concern.rest}
            {concern.evidence !== "" && (
              <>
                <br />
                <code className="muted">{concern.evidence}</code>
              </>
            )}
          </p>
          <ConcernLink concern={concern} className="btn small" />
        </div>
      ))}
    </Panel>
  );
}

interface ConcernLinkProps {
  readonly concern: OperatorConcern;
  readonly className: string;
}

function ConcernLink({ concern: { to, teamId, act, name }, className }: ConcernLinkProps) {
  return act === "" ? (
    <span />
  ) : (
    <Link to={to} params={{ teamId }} className={className} aria-label={`${act}: ${name}`}>
      {act}
    </Link>
  );
}
