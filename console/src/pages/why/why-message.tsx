// The result for an email id: the message.
import { useState } from "react";
import { QueryResult, isMissing } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { useMessage } from "../message/message-queries.ts";
import { MessageView } from "../message/message-view.tsx";
import { AddressFigures } from "../messages/address-figures.tsx";
import { useRetentionDays } from "../messages/events-query.ts";

export function WhyMessage({ emailId }: { readonly emailId: string }) {
  const [chosen, setChosen] = useState<string>();
  const query = useMessage(emailId);
  const days = useRetentionDays();
  return (
    <>
      {isMissing(query) ? (
        <section className="panel padded" aria-label="Answer">
          <h2>Message not found</h2>
          <p>
            Check the ID for typos. The message may belong to another team, or be too old
            {days !== undefined && ` (events are kept for ${days} days)`}. Search for the
            recipient’s address instead: suppressions are kept longer.
          </p>
        </section>
      ) : (
        <QueryResult query={query}>
          {(email) => (
            <MessageView
              email={email}
              lookedAt={query.dataUpdatedAt}
              chosen={chosen}
              onChoose={setChosen}
              aside={(address) => <AddressFigures address={address} />}
            />
          )}
        </QueryResult>
      )}
      <AsRequest path={`/v1/email/${emailId}`} />
    </>
  );
}
