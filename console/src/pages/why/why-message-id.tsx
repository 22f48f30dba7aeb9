// The result for a Message-ID: the messages in the log that have it. If the log has no such
// message, the page reads the email's id from the Message-ID, which works only for a Message-ID
// that the service generated.
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { pathOf } from "../messages/messages-search.ts";
import { useEvents } from "../messages/events-query.ts";
import { groupByMessage } from "../messages/message-groups.ts";
import { emailIdIn } from "./email-id-in.ts";
import { WhyList } from "./why-list.tsx";
import { WhyMessage } from "./why-message.tsx";
import { NothingFound } from "./nothing-found.tsx";

export function WhyMessageId({ messageId }: { readonly messageId: string }) {
  const { list } = useEvents({ days: "30", message_id: messageId }, {});
  return (
    <QueryResult query={list}>
      {() => {
        const groups = groupByMessage(list.rows ?? []);
        const [first] = groups;
        if (first && groups.length === 1) return <WhyMessage emailId={first.emailId} />;
        // A scheduled message has no event yet. Its Message-ID contains its id.
        const own = first ? null : emailIdIn(messageId);
        if (own !== null) return <WhyMessage emailId={own} />;
        if (first)
          return <WhyList search={{ days: "30", message_id: messageId }} fragment={{}} hasTo />;
        return (
          <>
            <NothingFound title="No message has this Message-ID">
              Enter the full Message-ID. It is case-sensitive. Another mail server may have replaced
              it: search for the recipient’s address or words of the subject instead.
            </NothingFound>
            <AsRequest path={pathOf({ message_id: messageId }, 50)} />
          </>
        );
      }}
    </QueryResult>
  );
}
