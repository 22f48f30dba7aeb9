// A domain's tracking settings: whether opens and clicks are counted, and the host of the tracked
// links.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Pill } from "../../parts/pill.tsx";
import { NamesQuoted } from "./dns-records.tsx";
import { summarizeTracking } from "./domain-summary.ts";
import { refreshRecords } from "./domain-queries.ts";
import type { RecordRow } from "./record-rows.ts";

interface TrackingFormProps {
  readonly domain: Domain;
  readonly rows: readonly RecordRow[];
}

const WORDS = { disabled: "Off", pending: "Pending", verified: "On" } as const;

export function TrackingForm({ domain, rows }: TrackingFormProps) {
  const { tracking, name } = domain;
  const title = useId();
  const [opens, setOpens] = useState(tracking.opens_enabled);
  const [clicks, setClicks] = useState(tracking.clicks_enabled);
  const [subdomain, setSubdomain] = useState(tracking.subdomain ?? "");
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      api.domains.update(domain.id, {
        tracking: {
          opens_enabled: opens,
          clicks_enabled: clicks,
          subdomain: subdomain.trim() === "" ? null : subdomain.trim(),
        },
      }),
    onSuccess: () => refreshRecords(domain.id),
  });
  const isChanged =
    opens !== tracking.opens_enabled ||
    clicks !== tracking.clicks_enabled ||
    subdomain.trim() !== (tracking.subdomain ?? "");
  const { tone, sentence, code } = summarizeTracking(domain, rows);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="padded ruled" aria-labelledby={title} onSubmit={submit}>
      <h3 id={title}>
        Tracking <Pill tone={tone}>{WORDS[tracking.status]}</Pill>
      </h3>
      <p aria-live="polite">
        <NamesQuoted text={sentence} /> {code !== null && <code className="muted">{code}</code>}
      </p>
      <div className="in-a-row">
        <Choice name="Track opens" isOn={opens} onChange={setOpens} />
        <Choice name="Track clicks" isOn={clicks} onChange={setClicks} />
        <label className="field">
          <span>
            Subdomain of <code>{name}</code>
          </span>
          <input
            value={subdomain}
            onChange={(event) => setSubdomain(event.target.value)}
            required={opens || clicks}
            placeholder="click"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </label>
        <button type="submit" className="btn" disabled={!isChanged || isPending}>
          Save tracking
        </button>
      </div>
      {isChanged && tracking.status === "verified" && (
        <p className="muted">
          After a change, tracking is verified again. Sending is not affected.
        </p>
      )}
      {error && <ErrorNotice error={error} />}
    </form>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Choice({ name, isOn, onChange }: ChoiceProps) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />{" "}
      {name}
    </label>
  );
}
