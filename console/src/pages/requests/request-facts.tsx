// Shows all data that the log of requests has about one request.
import { Link } from "@tanstack/react-router";
import type { LoggedRequest } from "../../../../packages/postern/src/generated/types.ts";
import { formatCount } from "../../parts/figures.ts";
import { Facts } from "../../parts/list/facts.tsx";
import { Pill } from "../../parts/pill.tsx";
import { ExactTime } from "../../parts/time/time-ago.tsx";
import type { Tone } from "../../parts/tone.ts";

const FAULT = 500;
const REFUSAL = 400;

export function RequestStatus({ of: { status } }: { readonly of: LoggedRequest }) {
  const tone: Tone = status >= FAULT ? "bad" : status >= REFUSAL ? "wait" : "ok";
  return <Pill tone={tone}>{status}</Pill>;
}

export function RequestFacts({ logged }: { readonly logged: LoggedRequest }) {
  const { method, route, target, error_type: type, fields, count } = logged;
  return (
    <Facts
      facts={{
        Status: (
          <>
            <RequestStatus of={logged} /> {type !== null && <code>{type}</code>}
          </>
        ),
        Request: route === null ? `${method} an unknown path` : <code>{`${method} ${route}`}</code>,
        For:
          target !== null &&
          (isEmail(target) ? <MessageLink id={target} /> : <code>{target}</code>),
        "Refused members": fields.length > 0 && <code>{fields.join(", ")}</code>,
        "Request ID": <code>{logged.id}</code>,
        Time: (
          <>
            <ExactTime at={logged.created_at} />, answered in {formatCount(logged.duration_ms)} ms
          </>
        ),
        "How often": count > 1 && (
          <>
            {formatCount(count)} requests like this since <ExactTime at={logged.first_at} />
          </>
        ),
        Key: (
          <Link to="/keys" search={{ open: logged.key_id }}>
            <code>{logged.key_id}</code>
          </Link>
        ),
        "User agent": logged.user_agent ?? "None",
      }}
    />
  );
}

function isEmail(target: string): boolean {
  return target.startsWith("email_");
}

function MessageLink({ id }: { readonly id: string }) {
  return (
    <Link to="/messages/$emailId" params={{ emailId: id }}>
      <code>{id}</code>
    </Link>
  );
}
