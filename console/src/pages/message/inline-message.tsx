// A message opened inside a list.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { QueryResult } from "../../parts/query-result.tsx";
import { Loading } from "../../parts/loading.tsx";
import { useMessage } from "./message-queries.ts";
import { MessageView } from "./message-view.tsx";

interface MessageInPlaceProps {
  readonly emailId: string;
  /**
   * The recipient of the opened row. Undefined: the message shows the recipient with the worst
   * status.
   */
  readonly recipient?: string | undefined;
}

export function InlineMessage({ emailId, recipient }: MessageInPlaceProps) {
  const [chosen, setChosen] = useState(recipient);
  const query = useMessage(emailId);
  return (
    <>
      <QueryResult query={query} skeleton={<Loading height={630} />}>
        {(email) => (
          <MessageView
            email={email}
            chosen={chosen}
            onChoose={setChosen}
            lookedAt={query.dataUpdatedAt}
          />
        )}
      </QueryResult>
      <Link to="/messages/$emailId" params={{ emailId }} className="btn">
        Open message page
      </Link>
    </>
  );
}
