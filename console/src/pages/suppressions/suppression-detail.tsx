// The details of one suppression, with its actions.
import { Link } from "@tanstack/react-router";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { ChangedBy } from "../../parts/changed-by.tsx";
import { Facts } from "../../parts/list/facts.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { LiftSuppression } from "../message/lift-suppression.tsx";
import { className } from "../message/bounce-sentence.ts";
import { REASON_NAMES, topicText } from "../message/suppression-texts.ts";

export function SuppressionDetail({ suppression }: { readonly suppression: Suppression }) {
  return (
    <>
      <SuppressionFacts suppression={suppression} />
      <ChangedBy says="Added" operation="suppression.create" target={trailNameOf(suppression)} />
      <div className="buttons">
        <LiftSuppression suppression={suppression} />
        <Link className="btn" to="/why" hash={encodeURIComponent(suppression.email)}>
          Show messages
        </Link>
      </div>
    </>
  );
}

/** Returns the suppression's name in the audit trail (docs/audit.md). */
function trailNameOf({ email, topic }: Suppression): string {
  return topic === "*" ? email : `${email}/${topic}`;
}

/** If `suppressed_at` is later than `created_at` by more than this, the suppression was renewed. */
const SAME_MOMENT_MS = 60_000;

function SuppressionFacts({ suppression }: { readonly suppression: Suppression }) {
  const { email, topic, reason, classification, smtp_code: code, note } = suppression;
  const { id, explanation } = suppression;
  const { summary, evidence } = explanation;
  const { suppressed_at: since, expires_at: until, created_at: created } = suppression;
  return (
    <Facts
      facts={{
        Address: email,
        Why: summary,
        "Caused by": evidence && (
          <>
            <Link to="/messages/$emailId" params={{ emailId: evidence.email_id }}>
              {evidence.email_id}
            </Link>
            {evidence.reply !== null && (
              <>
                <br />
                <code>{evidence.reply}</code>
              </>
            )}
          </>
        ),
        Reason: (
          <>
            {REASON_NAMES[reason]}
            {classification !== null && (
              <>
                {" · "}
                {className(classification)}
              </>
            )}
            {code !== null && (
              <>
                {" "}
                <code>{code}</code>
              </>
            )}
          </>
        ),
        Topic: topicText(topic),
        Since: (
          <>
            <TimeAgo at={since} />
            {Date.parse(since) - Date.parse(created) > SAME_MOMENT_MS && (
              <>
                , first added <TimeAgo at={created} />
              </>
            )}
          </>
        ),
        Expires: until === null ? "Never" : <TimeAgo at={until} />,
        Note: note ?? "–",
        ID: <code>{id}</code>,
      }}
    />
  );
}
