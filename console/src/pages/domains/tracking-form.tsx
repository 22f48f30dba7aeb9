// A domain's tracking settings: whether opens and clicks are tracked, and the host of the tracked
// links.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { ChangedMeanwhile, changeGuarded } from "../../api/guarded-change.ts";
import { Button } from "../../parts/button.tsx";
import { ConflictButtons } from "../../parts/conflict-buttons.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { AS_TYPED, Field } from "../../parts/form.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { Pill } from "../../parts/pill.tsx";
import { NamesQuoted } from "./dns-records.tsx";
import { summarizeTracking } from "./domain-summary.ts";
import { refreshRecords } from "./domain-queries.ts";
import type { RecordRow } from "./record-rows.ts";

interface TrackingFormProps {
  readonly domain: Domain;
  readonly rows: readonly RecordRow[];
}

type Tracking = Pick<Domain["tracking"], "opens_enabled" | "clicks_enabled" | "subdomain">;

const WORDS = { disabled: "Off", pending: "Pending", verified: "On" } as const;

export function TrackingForm({ domain, rows }: TrackingFormProps) {
  const { tracking, name } = domain;
  const title = useId();
  const [opens, setOpens] = useState(tracking.opens_enabled);
  const [clicks, setClicks] = useState(tracking.clicks_enabled);
  const [subdomain, setSubdomain] = useState(tracking.subdomain ?? "");
  // The page reads the domain repeatedly. The form keeps the version that it showed, because the
  // person decided by that version.
  const [seen, setSeen] = useState<Tracking>(tracking);
  const wanted = {
    opens_enabled: opens,
    clicks_enabled: clicks,
    subdomain: subdomain.trim() === "" ? null : subdomain.trim(),
  };
  const { mutate, error, isPending, reset } = useSaveTracking(domain.id, setSeen);
  const theirs = error instanceof ChangedMeanwhile ? (error.current as Domain).tracking : null;
  const isChanged = !isSameTracking(wanted, tracking);
  const { tone, sentence, code } = summarizeTracking(domain, rows);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate({ base: seen, wanted });
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
        <SubdomainField
          of={name}
          value={subdomain}
          isRequired={opens || clicks}
          onChange={setSubdomain}
        />
        <Permitted operation="PATCH /v1/domains/{id}" act="change tracking">
          <Button type="submit" disabled={!isChanged || isPending}>
            Save tracking
          </Button>
        </Permitted>
      </div>
      {isChanged && tracking.status === "verified" && (
        <p className="muted">
          After a change, tracking is verified again. Sending is not affected.
        </p>
      )}
      {error && <ErrorNotice error={error} />}
      {theirs && (
        <TrackingConflict
          theirs={theirs}
          onMine={() => mutate({ base: theirs, wanted })}
          onTheirs={() => {
            reset();
            setSeen(theirs);
            setOpens(theirs.opens_enabled);
            setClicks(theirs.clicks_enabled);
            setSubdomain(theirs.subdomain ?? "");
            void refreshRecords(domain.id);
          }}
        />
      )}
    </form>
  );
}

interface TrackingConflictProps {
  readonly theirs: Tracking;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

function TrackingConflict({ theirs, onMine, onTheirs }: TrackingConflictProps) {
  return (
    <>
      <p>
        Now opens are {theirs.opens_enabled ? "" : "not "}tracked, clicks are{" "}
        {theirs.clicks_enabled ? "" : "not "}tracked, and the subdomain is{" "}
        {theirs.subdomain === null ? "empty" : <code>{theirs.subdomain}</code>}.
      </p>
      <ConflictButtons onMine={onMine} onTheirs={onTheirs} />
    </>
  );
}

/** Saves the settings. Fails if the stored settings differ from those that the person saw. */
function useSaveTracking(id: string, onSaved: (tracking: Tracking) => void) {
  return useMutation({
    mutationFn: ({ base, wanted }: { readonly base: Tracking; readonly wanted: Tracking }) =>
      changeGuarded({
        read: (options) => api.domains.get(id, options),
        isSeen: (current) => isSameTracking(current.tracking, base),
        write: (options) => api.domains.update(id, { tracking: wanted }, options),
      }),
    onSuccess: async (saved) => {
      onSaved(saved.tracking);
      await refreshRecords(id);
    },
  });
}

export function isSameTracking(one: Tracking, other: Tracking): boolean {
  return (
    one.opens_enabled === other.opens_enabled &&
    one.clicks_enabled === other.clicks_enabled &&
    one.subdomain === other.subdomain
  );
}

interface SubdomainFieldProps {
  /** The domain's name. */
  readonly of: string;
  readonly value: string;
  readonly isRequired: boolean;
  readonly onChange: (value: string) => void;
}

function SubdomainField({ of, value, isRequired, onChange }: SubdomainFieldProps) {
  return (
    <Field
      label={
        <span>
          Subdomain of <code>{of}</code>
        </span>
      }
      value={value}
      onChange={({ target }) => onChange(target.value)}
      required={isRequired}
      placeholder="click"
      {...AS_TYPED}
    />
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
