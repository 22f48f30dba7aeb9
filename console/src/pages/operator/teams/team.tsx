// One team for the operator: its mail, settings, delivery method, shards and deletion.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Team } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { QueryResult, isMissing } from "../../../parts/query-result.tsx";
import { AsRequest } from "../../../parts/as-request.tsx";
import { CopyableCode } from "../../../parts/copy-button.tsx";
import { ExactTime } from "../../../parts/time/time-ago.tsx";
import { NotFound } from "../../../parts/not-found.tsx";
import { PageHead } from "../../../parts/page-head.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { Pill } from "../../../parts/pill.tsx";
import { ShortTable, type TableColumn } from "../../../parts/list/short-table.tsx";
import { DELIVERY_METHODS, PRESERVED_PARTS, TREATMENTS } from "../delivery-methods.ts";
import { InviteOwner } from "./invite-owner.tsx";
import { OpenAsTeam } from "./open-as-team.tsx";
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
        says="No team has the ID"
        what={teamId}
        back={{ to: "/operator/teams", says: "All teams" }}
      >
        Check the ID. The team may have been deleted.
      </NotFound>
    );
  return (
    <>
      <PageHead title={query.data?.name ?? "Team"}>
        {query.data && <Subscription of={query.data.subscription} />}
        {query.data && <OpenAsTeam team={query.data} />}
        <Link to="/operator/teams">All teams</Link>
      </PageHead>
      <QueryResult query={query}>{(team) => <TeamPanels team={team} />}</QueryResult>
      <AsRequest of="team" path={`/admin/teams/${teamId}`} />
      <AsRequest of="deliverability" path={`/admin/teams/${teamId}/deliverability`} />
      <AsRequest of="usage" path={`/admin/teams/${teamId}/usage`} />
    </>
  );
}

function TeamPanels({ team }: { readonly team: Team }) {
  const { id, number, created_at: made, updated_at: changed } = team;
  return (
    <>
      {team.subscription === "inactive" && (
        <p>The team’s API requests fail with 402, because its subscription is inactive.</p>
      )}
      <p className="muted">
        <CopyableCode text={id} /> Team number {number}, created <ExactTime at={made} />, last
        changed <ExactTime at={changed} />
      </p>
      <TeamMail teamId={id} />
      <TeamSettings team={team} />
      <PreservedParts sending={team.sending} />
      <InviteOwner team={team} />
      <WidenTeam team={team} />
      <DeleteTeam team={team} />
    </>
  );
}

function PreservedParts({ sending: { courier, keeps } }: Pick<Team, "sending">) {
  const { name, means } = DELIVERY_METHODS[courier];
  return (
    <Panel title={`Delivery method: ${name}`} note={means}>
      <ShortTable
        aria-label="What the delivery method preserves"
        columns={PRESERVED}
        rows={Object.entries(keeps) as [keyof typeof keeps, Treatment][]}
        keyOf={([part]) => part}
      />
    </Panel>
  );
}

type Treatment = keyof typeof TREATMENTS;

const PRESERVED: readonly TableColumn<[part: keyof typeof PRESERVED_PARTS, Treatment]>[] = [
  { name: "Part of a message", cell: ([part]) => PRESERVED_PARTS[part] },
  {
    name: "Status",
    cell: ([, treatment]) => (
      <Pill tone={TREATMENTS[treatment][0]}>{TREATMENTS[treatment][1]}</Pill>
    ),
  },
];
