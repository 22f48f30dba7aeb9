// One team as its operator sees it: its mail, settings, courier, shards and deletion.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Team } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/api-client.ts";
import { Answer, isMissing } from "../../../parts/answer.tsx";
import { AsRequest } from "../../../parts/as-request.tsx";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { ExactTime } from "../../../parts/time/time-ago.tsx";
import { NotFound } from "../../../parts/not-found.tsx";
import { PageHead } from "../../../parts/page-head.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { Pill } from "../../../parts/pill.tsx";
import { COURIER_MEANINGS, KEPT_PARTS, TREATMENTS } from "../courier-words.ts";
import { DeleteTeam } from "./delete-team.tsx";
import { TeamMail } from "./team-mail.tsx";
import { TeamSettings } from "./team-settings.tsx";
import { Subscription } from "./teams.tsx";
import { WidenTeam } from "./widen-team.tsx";

const route = getRouteApi("/operator/operator/teams/$teamId");

export function Team() {
  const { teamId } = route.useParams();
  const query = useQuery({
    queryKey: ["operator", "team", teamId],
    queryFn: () => operatorApi.teams.get(teamId),
  });
  if (isMissing(query))
    return (
      <NotFound
        says="No team with the id"
        what={teamId}
        back={{ to: "/operator/teams", says: "All teams" }}
      >
        Check the id. The team may have been deleted.
      </NotFound>
    );
  return (
    <>
      <PageHead title={query.data?.name ?? "Team"}>
        {query.data && <Subscription of={query.data.subscription} />}
        <Link to="/operator/teams">All teams</Link>
      </PageHead>
      <Answer query={query}>{(team) => <TeamPanels team={team} />}</Answer>
      <AsRequest of="team" path={`/admin/teams/${teamId}`} variable="ADMIN_TOKEN" />
      <AsRequest
        of="deliverability"
        path={`/admin/teams/${teamId}/deliverability`}
        variable="ADMIN_TOKEN"
      />
      <AsRequest of="usage" path={`/admin/teams/${teamId}/usage`} variable="ADMIN_TOKEN" />
    </>
  );
}

function TeamPanels({ team }: { readonly team: Team }) {
  const { id, number, created_at: made, updated_at: changed } = team;
  return (
    <>
      <p>
        {team.subscription === "active"
          ? "The team can use the API."
          : "The team’s requests fail with 402, because its subscription is inactive."}
      </p>
      <p className="muted">
        <code>{id}</code> <CopyButton text={id} /> number {number}, created <ExactTime at={made} />,
        last changed <ExactTime at={changed} />
      </p>
      <TeamMail teamId={id} />
      <TeamSettings team={team} />
      <WhatIsKept sending={team.sending} />
      <WidenTeam team={team} />
      <DeleteTeam team={team} />
    </>
  );
}

function WhatIsKept({ sending: { courier, keeps } }: Pick<Team, "sending">) {
  const parts = Object.keys(keeps) as (keyof typeof keeps)[];
  return (
    <Panel title={`Courier: ${courier}`} note={COURIER_MEANINGS[courier]}>
      <table aria-label="Features of the courier">
        <thead>
          <tr>
            <th scope="col">Feature</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => {
            const [tone, word] = TREATMENTS[keeps[part]];
            return (
              <tr key={part}>
                <td>{KEPT_PARTS[part]}</td>
                <td>
                  <Pill tone={tone}>{word}</Pill>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}
