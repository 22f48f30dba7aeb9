// Sends the previewed mail to one address, from a verified domain of the team. The tab remembers
// the addresses of each team's last test.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { EmailSendRequest } from "../../../../packages/postern/src/generated/types.ts";
import type { SendBody } from "../../../../packages/postern/src/request/send-body.ts";
import { api } from "../../api/api-client.ts";
import { cachedTeam } from "../../api/console-session.ts";
import { Button } from "../../parts/button.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Field, submits, textIn } from "../../parts/form.tsx";
import { Panel } from "../../parts/panel.tsx";
import { severityCounts } from "./check/problem-counts.ts";
import type { CheckProblemView } from "./check/use-check.ts";
import type { ShownParts } from "./use-preview.ts";

const MOST_DOMAINS = 100;

interface TestSendProps {
  readonly shown: ShownParts;
  /** False: the preview does not match the editor. */
  readonly isCurrent: boolean;
  /** The problems that the check finds in the content. */
  readonly found: readonly CheckProblemView[];
}

export function TestSend(props: TestSendProps) {
  const query = useQuery({
    queryKey: ["domains", "verified"],
    queryFn: async () => {
      const { data } = await api.domains.list({ limit: MOST_DOMAINS }).page();
      return data.filter(({ status }) => status === "verified").map(({ name }) => name);
    },
  });
  return (
    <Panel title="Send a test" note="Sends the content of the preview">
      <QueryResult query={query}>
        {(domains) =>
          domains.length === 0 ? (
            <p className="empty">
              No verified domain yet. <Link to="/domains">Verify a domain</Link> to send a test.
            </p>
          ) : (
            <SendForm {...props} domains={domains} />
          )
        }
      </QueryResult>
    </Panel>
  );
}

function SendForm({
  shown,
  isCurrent,
  found,
  domains,
}: TestSendProps & { readonly domains: string[] }) {
  const send = useMutation({
    mutationFn: ({ local, domain, to }: TestAddresses) =>
      api.emails.send({
        from: `${local}@${domain}`,
        to: [to],
        subject: shown.subject ?? "",
        ...(shown.html !== null && { html: shown.html }),
        ...(shown.text !== null && { text: shown.text }),
        // The type requires HTML or text. The button is disabled until the preview has one of them.
      } as object as SendBody<EmailSendRequest>),
  });
  const last = lastTest();
  const submit = submits((values) => {
    const addresses = addressesIn(values);
    sessionStorage.setItem(storageName(), JSON.stringify(addresses));
    send.mutate(addresses);
  });
  const isMissing = shown.subject === null || (shown.html === null && shown.text === null);
  return (
    <form className="inset" aria-label="Send a test" onSubmit={submit}>
      <div className="field">
        <label htmlFor="test-local">From</label>
        <span className="address">
          <input
            id="test-local"
            name="local"
            defaultValue={last?.local ?? "test"}
            required
            pattern="[^@\s]+"
          />
          @
          <select
            name="domain"
            aria-label="Domain"
            defaultValue={domains.find((name) => name === last?.domain)}
          >
            {domains.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </span>
      </div>
      <Field
        label="To"
        name="to"
        type="email"
        required
        autoComplete="email"
        placeholder="you@example.com"
        defaultValue={last?.to}
      />
      {isMissing && <p className="muted">A message needs a subject and content.</p>}
      {found.length > 0 && <p className="muted">The check finds {severityCounts(found)}.</p>}
      {send.error && <ErrorNotice error={send.error} />}
      {send.data && <Sent id={send.data.id} />}
      <Button type="submit" disabled={send.isPending || !isCurrent || isMissing}>
        Send a test
      </Button>
    </form>
  );
}

type TestAddresses = ReturnType<typeof addressesIn>;

function addressesIn(values: FormData) {
  return {
    local: textIn(values, "local"),
    domain: textIn(values, "domain"),
    to: textIn(values, "to"),
  };
}

function Sent({ id }: { readonly id: string }) {
  return (
    <p role="status">
      Accepted.{" "}
      <Link to="/messages/$emailId" params={{ emailId: id }}>
        View message
      </Link>
    </p>
  );
}

function lastTest(): TestAddresses | null {
  return JSON.parse(sessionStorage.getItem(storageName()) ?? "null") as TestAddresses | null;
}

function storageName(): string {
  return `postern-last-test ${cachedTeam()}`;
}
