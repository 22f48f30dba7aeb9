// Sends what the preview shows to an address of the reader's, from a verified domain of the team.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api-client.ts";
import { Answer } from "../../parts/answer.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { Panel } from "../../parts/panel.tsx";
import type { ShownParts } from "./use-preview.ts";

const MOST_DOMAINS = 100;

interface TestSendProps {
  readonly shown: ShownParts;
  /** False while the preview does not show what is in the editor. */
  readonly isCurrent: boolean;
}

export function TestSend({ shown, isCurrent }: TestSendProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title="Test send"
      note="what the preview shows"
      aside={
        <button
          type="button"
          className="btn small"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Close" : "Write to myself"}
        </button>
      }
    >
      {isOpen && <FromVerified shown={shown} isCurrent={isCurrent} />}
    </Panel>
  );
}

function FromVerified(props: TestSendProps) {
  const query = useQuery({
    queryKey: ["domains", "verified"],
    queryFn: async () => {
      const { data } = await api.domains.list({ limit: MOST_DOMAINS }).page();
      return data.filter(({ status }) => status === "verified").map(({ name }) => name);
    },
  });
  return (
    <Answer query={query}>
      {(domains) =>
        domains.length === 0 ? (
          <p className="empty">
            No domain of the team is verified yet. <Link to="/domains">Verify one</Link>, then send.
          </p>
        ) : (
          <SendForm {...props} domains={domains} />
        )
      }
    </Answer>
  );
}

function SendForm({ shown, isCurrent, domains }: TestSendProps & { readonly domains: string[] }) {
  const send = useMutation({
    mutationFn: ({ from, to }: { from: string; to: string }) =>
      api.emails.send({
        from,
        to: [to],
        subject: shown.subject ?? "",
        ...(shown.html !== null && { html: shown.html }),
        ...(shown.text !== null && { text: shown.text }),
      }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [local, domain, to] = ["local", "domain", "to"].map((name) => form.get(name) as string);
    send.mutate({ from: `${local}@${domain}`, to: to ?? "" });
  };
  const isMissing = shown.subject === null || (shown.html === null && shown.text === null);
  return (
    <form className="inset" onSubmit={submit}>
      <div className="field">
        <label htmlFor="test-local">From</label>
        <span className="address">
          <input id="test-local" name="local" defaultValue="test" required pattern="[^@\s]+" />@
          <select name="domain" aria-label="Domain">
            {domains.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </span>
      </div>
      <label className="field">
        To
        <input name="to" type="email" required autoComplete="email" placeholder="you@example.com" />
      </label>
      {isMissing && <p className="muted">A send needs a subject and content.</p>}
      {send.error && <ErrorNote error={send.error} />}
      {send.data && <Sent id={send.data.id} />}
      <button type="submit" className="btn" disabled={send.isPending || !isCurrent || isMissing}>
        Send test
      </button>
    </form>
  );
}

function Sent({ id }: { readonly id: string }) {
  return (
    <p role="status">
      Accepted.{" "}
      <Link to="/why" hash={id}>
        See what becomes of it
      </Link>
    </p>
  );
}
