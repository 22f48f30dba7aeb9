// The members of the team, and pending invitations. Only owners see them.
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { MainButton, SmallButton } from "../../parts/button.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { type ListColumn, RecordList } from "../../parts/list/record-list.tsx";
import { agoColumn } from "../../parts/list/time-column.tsx";
import { InviteMember } from "./invite-member.tsx";
import {
  type Invitation,
  type Member,
  membersQuery,
  refreshMembers,
  removeMember,
} from "./member-calls.ts";
import { MemberDetail } from "./member-detail.tsx";
import { rightsText } from "./member-rights.tsx";

const route = getRouteApi("/frame/members");

const COLUMNS: readonly ListColumn<Member>[] = [
  { name: "Person", cell: ({ email }) => email, width: "long" },
  {
    name: "Role",
    cell: (member) => (member.removed_at === null ? rightsText(member) : "Removed"),
    width: "long",
  },
  agoColumn("Joined", (member) => member.created_at, { isSecondary: true }),
];

export function Members() {
  const { open = null } = route.useSearch();
  const navigate = route.useNavigate();
  const [isInviting, setInviting] = useState(false);
  const query = useQuery(membersQuery);
  return (
    <>
      <PageHead title="Members">
        <Permitted operation="POST /console/members">
          <MainButton onClick={() => setInviting(true)}>Invite</MainButton>
        </Permitted>
      </PageHead>
      {isInviting && <InviteMember onClose={() => setInviting(false)} />}
      <QueryResult query={query}>
        {({ members, invitations }) => (
          <>
            {invitations.length > 0 && <Invitations invitations={invitations} />}
            <section className="panel" aria-label="Members">
              <RecordList
                label="Members"
                columns={COLUMNS}
                rows={members}
                idOf={({ id }) => id}
                open={open}
                onOpen={(id) => void navigate({ search: id === null ? {} : { open: id } })}
                detail={(member) => <MemberDetail key={member.id} member={member} />}
              />
            </section>
          </>
        )}
      </QueryResult>
    </>
  );
}

function Invitations({ invitations }: { readonly invitations: readonly Invitation[] }) {
  return (
    <section className="panel padded" aria-label="Invitations">
      <h2>Invitations that wait</h2>
      <ul>
        {invitations.map((invitation) => (
          <Waiting key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </section>
  );
}

function Waiting({ invitation }: { readonly invitation: Invitation }) {
  const { id, email } = invitation;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => removeMember(id),
    onSuccess: refreshMembers,
  });
  return (
    <li>
      {email}: {rightsText(invitation)}{" "}
      <Permitted operation="DELETE /console/members/{id}">
        <SmallButton
          aria-label={`Withdraw the invitation of ${email}`}
          disabled={isPending}
          onClick={() => mutate()}
        >
          Withdraw
        </SmallButton>
      </Permitted>
      {error && <ErrorNotice error={error} />}
    </li>
  );
}
