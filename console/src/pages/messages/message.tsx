// The page of one message.
import { getRouteApi, Link } from "@tanstack/react-router";
import { QueryResult, isMissing } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { NotFound } from "../../parts/not-found.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { subjectText } from "../../parts/typography.ts";
import { AddressFigures } from "./address-figures.tsx";
import { useMessage } from "../message/message-queries.ts";
import { MessageView } from "../message/message-view.tsx";

const route = getRouteApi("/frame/messages/$emailId");

export function Message() {
  const { emailId } = route.useParams();
  const { recipient: place } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useMessage(emailId);
  if (isMissing(query))
    return (
      <NotFound
        says="No message has the ID"
        what={emailId}
        back={{ to: "/messages", says: "All messages" }}
      >
        Check the ID for typos. The message may belong to another team, or be older than your team’s
        event retention.
      </NotFound>
    );
  return (
    <>
      <PageHead title={query.data ? subjectText(query.data.subject) : "Message"} />
      <p className="crumb muted">
        <Link to="/messages">Messages</Link> › <code>{emailId}</code>
      </p>
      <QueryResult query={query}>
        {(email) => (
          <MessageView
            email={email}
            lookedAt={query.dataUpdatedAt}
            chosen={place === undefined ? undefined : email.recipients[place - 1]?.recipient}
            onChoose={(address) => {
              const at = email.recipients.findIndex(({ recipient }) => recipient === address);
              void navigate({ search: { recipient: at + 1 }, replace: true });
            }}
            aside={(address) => <AddressFigures address={address} />}
          />
        )}
      </QueryResult>
      <AsRequest path={`/v1/email/${emailId}`} />
    </>
  );
}
