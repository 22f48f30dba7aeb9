// All about one suppression, and lifting it. One made by hand is lifted at once and can be put back;
// one that a bounce, a complaint or an unsubscription made asks, since it can't.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { canBeNamed, REASON_NAMES, topicWords } from "./suppression-facts.ts";
import { liftSuppression, refreshSuppressions } from "./suppression-queries.ts";

interface SuppressionDetailProps {
  readonly suppression: Suppression;
  readonly onLifted: (suppression: Suppression) => void;
}

export function SuppressionDetail({ suppression, onLifted }: SuppressionDetailProps) {
  const { email, topic, origin } = suppression;
  const [isAsking, setAsking] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => liftSuppression(suppression),
    onSuccess: () => {
      setAsking(false);
      onLifted(suppression);
      return refreshSuppressions();
    },
  });
  return (
    <>
      <SuppressionFacts suppression={suppression} />
      <div className="buttons">
        {canBeNamed(topic) ? (
          <button
            type="button"
            className="btn"
            disabled={isPending}
            onClick={() => (origin === "manual" ? mutate() : setAsking(true))}
          >
            Lift suppression
          </button>
        ) : (
          <small>The API has no address for this topic, so that it can't be lifted alone.</small>
        )}
        <Link className="btn" to="/why" hash={encodeURIComponent(email)}>
          Show its mail
        </Link>
      </div>
      {error && !isAsking && <ErrorNote error={error} />}
      {isAsking && (
        <ConfirmDialog
          title={`Lift the suppression of ${email} for ${topicWords(topic)}?`}
          action="Lift suppression"
          error={error}
          isBusy={isPending}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{suppression.explanation.summary}</p>
          {suppression.explanation.actions.map(({ text }) => (
            <p key={text}>{text}</p>
          ))}
          <p>It can&apos;t be put back as it was, only by hand.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function SuppressionFacts({ suppression }: Pick<SuppressionDetailProps, "suppression">) {
  const { topic, reason, classification, smtp_code: code, note, id, explanation } = suppression;
  const { summary, evidence } = explanation;
  const { suppressed_at: since, expires_at: until, created_at: created } = suppression;
  return (
    <dl>
      <dt>Why</dt>
      <dd>{summary}</dd>
      {evidence && (
        <>
          <dt>Since the message</dt>
          <dd>
            <Link to="/messages/$emailId" params={{ emailId: evidence.email_id }}>
              {evidence.email_id}
            </Link>{" "}
            {evidence.reply}
          </dd>
        </>
      )}
      <dt>Reason</dt>
      <dd>
        {REASON_NAMES[reason]}
        {classification !== null && (
          <>
            {" "}
            <code>{classification}</code>
          </>
        )}
        {code !== null && (
          <>
            {" "}
            <code>{code}</code>
          </>
        )}
      </dd>
      <dt>For</dt>
      <dd>{topicWords(topic)}</dd>
      <dt>Since</dt>
      <dd>
        <TimeAgo at={since} />
        {created !== since && (
          <>
            , first <TimeAgo at={created} />
          </>
        )}
      </dd>
      <dt>Until</dt>
      <dd>{until === null ? "it is lifted" : <TimeAgo at={until} />}</dd>
      <dt>Note</dt>
      <dd>{note ?? "none"}</dd>
      <dt>Id</dt>
      <dd>
        <code>{id}</code>
      </dd>
    </dl>
  );
}
