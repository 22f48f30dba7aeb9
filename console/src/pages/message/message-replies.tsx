// A recipient's answers to a message, each with a link to its text.
import { Link } from "@tanstack/react-router";
import type { Email } from "../../../../packages/postern/src/generated/types.ts";
import { Panel } from "../../parts/panel.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { ReplyMark } from "../replies/reply-mark.tsx";

interface MessageRepliesProps {
  readonly email: Email;
  readonly recipient: string;
}

export function MessageReplies({ email: { replies = [] }, recipient }: MessageRepliesProps) {
  const own = replies.filter((reply) => reply.recipient === null || reply.recipient === recipient);
  if (own.length === 0) return null;
  return (
    <Panel title="Replies">
      <div className="padded">
        {own.map((reply) => (
          <p key={reply.id}>
            <ReplyMark reply={reply} />{" "}
            <Link to="/replies" search={{ open: reply.id }}>
              {reply.from ?? "Unknown author"}
            </Link>{" "}
            <small>
              <TimeAgo at={reply.received_at} />
            </small>
          </p>
        ))}
      </div>
    </Panel>
  );
}
