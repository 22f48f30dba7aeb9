// The page "Usage": the used part of the team's quotas and limits, and the pending mail.
import type { Usage } from "../../../../packages/postern/src/generated/types.ts";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { formatCount } from "../../parts/figures.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ShortTable, type TableColumn } from "../../parts/list/short-table.tsx";
import { ExactTime, TimeAgo, useClock } from "../../parts/time/time-ago.tsx";
import { AllowanceBar } from "./allowance-bar.tsx";
import { dayBegins, labelCaps, monthBegins, projectionOf, toneOfUse } from "./usage-figures.ts";
import { useUsage } from "./usage-query.ts";
import { projectionSentence } from "./usage-texts.ts";
import { WaitingMail } from "./waiting-mail.tsx";

const EVERY_MS = 10_000;

export function Usage() {
  const query = useUsage(EVERY_MS);
  return (
    <>
      <PageHead title="Usage">
        {query.dataUpdatedAt > 0 && (
          <small>
            Checked <TimeAgo at={query.dataUpdatedAt} />
            {query.isError && ". The last check failed."}
          </small>
        )}
      </PageHead>
      <QueryResult query={query}>
        {(usage) => (
          <>
            <Quota
              name="Daily quota"
              counted="UTC day"
              begins={dayBegins}
              allowance={usage.daily}
              at={query.dataUpdatedAt}
            />
            <Quota
              name="Monthly quota"
              counted="UTC month"
              begins={monthBegins}
              allowance={usage.monthly}
              at={query.dataUpdatedAt}
              credits={usage.monthly.overage_credits}
            />
            <WaitingMail usage={usage} />
            <Caps usage={usage} />
          </>
        )}
      </QueryResult>
      <AsRequest path="/v1/usage" />
    </>
  );
}

interface QuotaProps {
  readonly name: string;
  /** Names the time zone in which the quota's days or months begin. */
  readonly counted: string;
  readonly allowance: Usage["daily"];
  /** Returns the start of the quota's period that ends at `resetsAt`. */
  readonly begins: (resetsAt: number) => number;
  /** Time of the answer, Unix milliseconds. */
  readonly at: number;
  /** Prepaid recipients over the limit. Only the monthly quota has them. */
  readonly credits?: number;
}

function Quota({
  name,
  counted,
  allowance: { used, limit, resets_at: resetsAt },
  begins,
  at,
  credits,
}: QuotaProps) {
  const clock = useClock();
  const ends = Date.parse(resetsAt);
  const projection = projectionOf({ used, limit }, { begins: begins(ends), ends }, at);
  return (
    <Panel
      title={name}
      note={counted}
      aside={
        <small>
          Resets on <ExactTime at={resetsAt} />
        </small>
      }
    >
      <div className="padded">
        <p className="big">
          <b>{formatCount(used)}</b> of {formatCount(limit)} recipients
        </p>
        <AllowanceBar label={name} used={used} limit={limit} atEnd={projection?.atEnd ?? null} />
        <p className={projection && toneOfUse(projection.atEnd, limit) === "bad" ? "bad" : "muted"}>
          {projectionSentence(used, limit, projection, ends, credits ?? 0, clock)}
        </p>
        {credits !== undefined && (
          <p className="muted">
            {credits === 0
              ? "No overage credits: sends over the limit are refused."
              : `${formatCount(credits)} overage credits left for recipients over the limit.`}
          </p>
        )}
      </div>
    </Panel>
  );
}

interface Cap {
  readonly name: string;
  /** Null: only the header of an answer has the number. */
  readonly used: number | null;
  readonly limit: number;
}

const CAPS: readonly TableColumn<Cap>[] = [
  {
    name: "Limit on",
    cell: ({ name, used }) =>
      used === null ? (
        <>
          {name}{" "}
          <small>
            remaining: see the <code>RateLimit-Remaining</code> header
          </small>
        </>
      ) : (
        name
      ),
  },
  {
    name: "Share",
    cell: ({ name, used, limit }) =>
      used !== null && <AllowanceBar label={name} used={used} limit={limit} atEnd={null} />,
    isSecondary: true,
  },
  {
    name: "Used",
    cell: ({ used }) => (used === null ? "–" : formatCount(used)),
    isNumber: true,
  },
  { name: "Limit", cell: ({ limit }) => formatCount(limit), isNumber: true },
];

function Caps({ usage }: { readonly usage: Usage }) {
  const usedCaps = labelCaps(usage).filter(({ used }) => used > 0);
  const requests = {
    name: "API requests per second",
    used: null,
    limit: usage.requests_per_second,
  };
  return (
    <Panel title="Other limits" note="Counted in rolling windows">
      <ShortTable
        aria-label="Other limits"
        columns={CAPS}
        rows={[...usedCaps, requests]}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}
