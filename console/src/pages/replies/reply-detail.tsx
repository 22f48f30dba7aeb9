// One reply: its own text, its quotation, its files, and how certain its author is. The page does
// not show the HTML, because a stranger wrote it. The raw mail has the HTML.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { WholeReply } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { queryClient } from "../../api/query-client.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Facts } from "../../parts/list/facts.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { subjectText } from "../../parts/typography.ts";

export function ReplyDetail({ id }: { readonly id: string }) {
  const query = useQuery({ queryKey: ["reply", id], queryFn: () => api.replies.get(id) });
  return <QueryResult query={query}>{(reply) => <ShownReply reply={reply} />}</QueryResult>;
}

function ShownReply({ reply }: { readonly reply: WholeReply }) {
  const { text, quoted, subject } = reply;
  return (
    <>
      <h3>{subjectText(subject)}</h3>
      <pre className="mail-text" tabIndex={0} aria-label="Answer">
        {text}
      </pre>
      {quoted !== "" && (
        <details>
          <summary>Quotation and signature</summary>
          <pre className="mail-text" tabIndex={0} aria-label="Quotation and signature">
            {quoted}
          </pre>
        </details>
      )}
      <Files reply={reply} />
      <ReplyFacts reply={reply} />
      <Permitted operation="PATCH /v1/replies/{id}">
        <SeenButton reply={reply} />
      </Permitted>
    </>
  );
}

function ReplyFacts({ reply }: { readonly reply: WholeReply }) {
  const { spf, dkim, dmarc } = reply;
  const checks = [
    ["SPF", spf],
    ["DKIM", dkim],
    ["DMARC", dmarc],
  ].filter(([, result]) => result !== null);
  return (
    <Facts
      facts={{
        From: (
          <>
            {reply.from ?? "Unknown"}{" "}
            <small>
              {reply.from_recipient ? "The recipient’s address" : "Not the recipient’s address"}
            </small>
          </>
        ),
        "Sender checks":
          checks.length === 0
            ? "Not checked"
            : checks.map(([name, result]) => `${name} ${result}`).join(", "),
        Answers: (
          <>
            <Link to="/messages/$emailId" params={{ emailId: reply.email_id }}>
              <code>{reply.email_id}</code>
            </Link>
            {reply.recipient !== null && ` to ${reply.recipient}`}
          </>
        ),
        "Reply-To of the send": reply.reply_to.length > 0 && reply.reply_to.join(", "),
        "Kept until": <TimeAgo at={reply.kept_until} />,
      }}
    />
  );
}

function Files({ reply }: { readonly reply: WholeReply }) {
  return (
    <ul aria-label="Files">
      {reply.attachments.map(({ index, filename, content_type: type, size, download_url: url }) => (
        <li key={index}>
          <a href={new URL(url, location.href).pathname} download={filename}>
            {filename}
          </a>{" "}
          <small>
            {type}, {size.toLocaleString("en")} bytes
          </small>
        </li>
      ))}
      <li>
        <a href={new URL(reply.raw_download_url, location.href).pathname} download="reply.eml">
          The whole mail
        </a>
      </li>
    </ul>
  );
}

function SeenButton({ reply: { id, seen } }: { readonly reply: WholeReply }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.replies.update(id, { seen: !seen }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["reply", id] });
      await queryClient.invalidateQueries({ queryKey: ["replies"] });
    },
  });
  return (
    <>
      <Button disabled={isPending} onClick={() => mutate()}>
        {seen ? "Mark as unseen" : "Mark as seen"}
      </Button>
      {error && <ErrorNotice error={error} />}
    </>
  );
}
