// A domain's DNS records: the values to publish, with buttons to copy them, and the values that DNS
// returns.
import type { DomainDnsRecord } from "../../../../packages/postern/src/generated/types.ts";
import { CopyableCode } from "../../parts/copy-button.tsx";
import { Pill } from "../../parts/pill.tsx";
import { ShortTable, type TableColumn } from "../../parts/list/short-table.tsx";
import type { Tone } from "../../parts/tone.ts";
import { typeset } from "../../parts/typography.ts";
import { namesIn } from "./quoted-names.ts";
import { isProblem } from "./domain-summary.ts";
import type { RecordGroup, RecordRow } from "./record-rows.ts";

const STATES: Readonly<Record<DomainDnsRecord["status"], readonly [Tone, string]>> = {
  ok: ["ok", "Found"],
  missing: ["bad", "Missing"],
  mismatch: ["bad", "Wrong value"],
  unknown: ["wait", "No answer"],
};

const GROUPS: Readonly<Record<RecordGroup, string | null>> = {
  sending: null,
  tracking: "tracking",
  courier: "managed by Cloudflare",
};

interface DnsRecordsProps {
  readonly rows: readonly RecordRow[];
  /** The record that the text above the table names. */
  readonly said: RecordRow | undefined;
  /** The DNS zone in which the records are published. */
  readonly zone: string;
}

export function DnsRecords({ rows, said, zone }: DnsRecordsProps) {
  const problems = rows.filter((row) => isProblem(row) && row !== said);
  const missing = rows.find(
    (row) => isProblem(row) && row.seen?.status === "missing" && row.group !== "courier",
  );
  return (
    <>
      <ShortTable
        className="stacked"
        aria-label="Records"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ type, host, value }) => `${type} ${host} ${value}`}
      />
      {problems.map(({ host, type, value, seen }) => (
        <div className="todo" key={`${type} ${host} ${value}`}>
          <span className={`dot ${seen?.status === "unknown" ? "wait" : "bad"}`} />
          <div>
            <p>
              <NamesQuoted text={seen?.message ?? ""} />
            </p>
            {seen && <DnsValues type={type} host={host} found={seen.found} />}
          </div>
        </div>
      ))}
      {missing && (
        <div className="todo">
          <span className="dot mute" />
          <p>
            Many DNS providers add the zone name automatically: enter <code>{missing.name}</code>{" "}
            without <code>{zone}</code>.
          </p>
        </div>
      )}
    </>
  );
}

const COLUMNS: readonly TableColumn<RecordRow>[] = [
  { name: "Status", cell: (row) => <RecordStatus row={row} /> },
  {
    name: "Name",
    cell: ({ name, group }) => (
      <>
        <CopyableCode text={name} about={`the name ${name}`} />
        {GROUPS[group] !== null && (
          <>
            {" "}
            <small>{GROUPS[group]}</small>
          </>
        )}
      </>
    ),
    title: ({ host }) => host,
  },
  { name: "Type", cell: ({ type }) => <code>{type}</code>, isSecondary: true },
  {
    name: "Value",
    cell: ({ name, value }) =>
      value === null ? (
        <small>Set by Cloudflare</small>
      ) : (
        <>
          <CopyableCode text={value} about={`the value of ${name}`} />
        </>
      ),
  },
];

function RecordStatus({ row: { seen, isNeeded } }: { readonly row: RecordRow }) {
  if (!seen) return <Pill tone="mute">Not checked</Pill>;
  if (!isNeeded && seen.status !== "ok") return <Pill tone="mute">Not needed</Pill>;
  const [tone, word] = STATES[seen.status];
  return <Pill tone={tone}>{word}</Pill>;
}

interface FoundInDnsProps {
  readonly type: string;
  readonly host: string;
  readonly found: readonly string[];
}

/** Shows a sentence of the service, with its DNS names as code. */
export function NamesQuoted({ text }: { readonly text: string }) {
  return namesIn(typeset(text)).map(({ words, isName, at }) =>
    isName ? <code key={at}>{words}</code> : words,
  );
}

/** Shows the name and type that DNS was asked for, and the values that it returned. */
export function DnsValues({ type, host, found }: FoundInDnsProps) {
  if (found.length === 0) return null;
  return (
    <pre className="said">
      <span>
        {type} {host} →
      </span>
      {found.map((value) => `\n${value}`).join("")}
    </pre>
  );
}
