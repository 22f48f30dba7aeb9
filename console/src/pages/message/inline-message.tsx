// A message that is opened within a list.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Answer } from "../../parts/answer.tsx";
import { Loading } from "../../parts/loading.tsx";
import { useMessage } from "./message-queries.ts";
import { MessageView } from "./message-view.tsx";

interface MessageInPlaceProps {
  readonly emailId: string;
  /** The recipient whose row was opened; undefined: the one that fared worst. */
  readonly recipient?: string | undefined;
}

export function InlineMessage({ emailId, recipient }: MessageInPlaceProps) {
  const [chosen, setChosen] = useState(recipient);
  const query = useMessage(emailId);
  return (
    <>
      <Answer query={query} skeleton={<Loading height={630} />}>
        {(email) => (
          <MessageView
            email={email}
            chosen={chosen}
            onChoose={setChosen}
            lookedAt={query.dataUpdatedAt}
          />
        )}
      </Answer>
      <Link to="/messages/$emailId" params={{ emailId }} className="btn">
        Open message page
      </Link>
    </>
  );
}
