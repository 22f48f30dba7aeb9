// Shows all data that the log of requests has about one request.
import { Link } from "@tanstack/react-router";
import type { LoggedRequest } from "../../../../packages/postern/src/generated/types.ts";
import { formatCount } from "../../parts/figures.ts";
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
    <dl>
      <dt>Status</dt>
      <dd>
        <RequestStatus of={logged} /> {type !== null && <code>{type}</code>}
      </dd>
      <dt>Request</dt>
      <dd>{route === null ? `${method} an unknown path` : <code>{`${method} ${route}`}</code>}</dd>
      {target !== null && (
        <>
          <dt>For</dt>
          <dd>{isEmail(target) ? <MessageLink id={target} /> : <code>{target}</code>}</dd>
        </>
      )}
      {fields.length > 0 && (
        <>
          <dt>Refused members</dt>
          <dd>
            <code>{fields.join(", ")}</code>
          </dd>
        </>
      )}
      <dt>Request ID</dt>
      <dd>
        <code>{logged.id}</code>
      </dd>
      <dt>Time</dt>
      <dd>
        <ExactTime at={logged.created_at} />, answered in {formatCount(logged.duration_ms)} ms
      </dd>
      {count > 1 && (
        <>
          <dt>How often</dt>
          <dd>
            {formatCount(count)} requests like this since <ExactTime at={logged.first_at} />
          </dd>
        </>
      )}
      <dt>Key</dt>
      <dd>
        <Link to="/keys" search={{ open: logged.key_id }}>
          <code>{logged.key_id}</code>
        </Link>
      </dd>
      <dt>User agent</dt>
      <dd>{logged.user_agent ?? "None"}</dd>
    </dl>
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
