// The teams that need attention, the worst first, each with its reasons and a link to its page.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { TeamAttention as Entry } from "../../api/operator/types.ts";
import { SmallButton } from "../../parts/button.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Pill } from "../../parts/pill.tsx";
import { useClock } from "../../parts/time/time-ago.tsx";
import { useAttention } from "./operator-queries.ts";
import { describeTeam, describeTeams, SEVERITY } from "./team-texts.ts";

/** The maximum number of teams in one answer. */
const LISTED = 20;

export function TeamAttention() {
  const [skip, setSkip] = useState(0);
  const query = useAttention(skip);
  const { teams, worst = [] } = query.data ?? {};
  const listed = teams ? teams.critical + teams.warning + teams.notice : 0;
  return (
    <Panel
      title="Teams"
      note={query.data && describeTeams(query.data)}
      aside={<Link to="/operator/teams">All teams</Link>}
    >
      {query.data?.account_hold && <p className="padded">{query.data.account_hold.message}</p>}
      <QueryResult query={query}>
        {() =>
          worst.length === 0 ? (
            <EmptyState>No team needs attention.</EmptyState>
          ) : (
            worst.map((entry) => <TeamEntry key={entry.team.id} entry={entry} />)
          )
        }
      </QueryResult>
      {(skip > 0 || listed > LISTED) && (
        <div className="padded buttons">
          <SmallButton disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - LISTED))}>
            Previous
          </SmallButton>
          <SmallButton disabled={skip + LISTED >= listed} onClick={() => setSkip(skip + LISTED)}>
            Next
          </SmallButton>
        </div>
      )}
    </Panel>
  );
}

function TeamEntry({ entry }: { readonly entry: Entry }) {
  const clock = useClock();
  const { team, severity } = entry;
  const [tone, word] = SEVERITY[severity];
  return (
    <div className="todo stack">
      <Pill tone={tone}>{word}</Pill>
      <div>
        <p>
          <b>{team.name}</b>
        </p>
        {describeTeam(entry, clock).map(({ says, quoted }) => (
          <p key={says} className="reason">
            {says}
            {quoted !== null && (
              <>
                <br />
                <code className="muted">{quoted}</code>
              </>
            )}
          </p>
        ))}
      </div>
      <Link
        to="/operator/teams/$teamId"
        params={{ teamId: team.id }}
        className="btn small"
        aria-label={`Open team ${team.name}`}
      >
        Open team
      </Link>
    </div>
  );
}
