// Shows the time of the last DNS check and the time until the next one.
import { TimeAgo, useNow } from "../../parts/time/time-ago.tsx";
import { SECOND_MS } from "../../parts/time/time-units.ts";
import type { DnsNow } from "./domain-queries.ts";

export function LastCheck({ dns: { query, nextInMs } }: { readonly dns: DnsNow }) {
  const now = useNow(SECOND_MS);
  const { dataUpdatedAt: at, isFetching } = query;
  if (at === 0) return isFetching ? <small>Checking…</small> : null;
  const wait =
    nextInMs === null
      ? null
      : Math.max(0, Math.ceil((at + nextInMs - Math.max(at, now)) / SECOND_MS));
  return (
    <small>
      Checked <TimeAgo at={at} />
      {wait !== null &&
        (isFetching || wait === 0 ? ", checking again…" : `, next check in ${wait} s`)}
    </small>
  );
}
