// A member: the role, the switches, the removal, and the keys that the person made.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKey } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { Button, DangerButton } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { submits } from "../../parts/form.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import {
  changeMember,
  keysOfMemberQuery,
  type Member,
  refreshMembers,
  removeMember,
} from "./member-calls.ts";
import { RightsFields, rightsIn } from "./member-rights.tsx";

export function MemberDetail({ member }: { readonly member: Member }) {
  return (
    <>
      {member.removed_at === null && (
        <>
          <Permitted operation="PATCH /console/members/{id}">
            <ChangeRights member={member} />
          </Permitted>
          <Permitted operation="DELETE /console/members/{id}">
            <RemoveMember member={member} />
          </Permitted>
        </>
      )}
      <KeysOfMember member={member} />
    </>
  );
}

function ChangeRights({ member }: { readonly member: Member }) {
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (values: FormData) => changeMember(member.id, rightsIn(values)),
    onSuccess: refreshMembers,
  });
  return (
    <form aria-label={`Rights of ${member.email}`} onSubmit={submits((values) => mutate(values))}>
      <RightsFields rights={member} />
      {error && <ErrorNotice error={error} />}
      {isSuccess && <p role="status">Saved. The change takes effect within a minute.</p>}
      <div className="buttons">
        <Button type="submit" disabled={isPending}>
          Save role
        </Button>
      </div>
    </form>
  );
}

function RemoveMember({ member }: { readonly member: Member }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeMember(member.id),
    onSuccess: refreshMembers,
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <div className="buttons">
        <DangerButton onClick={() => setAsking(true)}>Remove member</DangerButton>
      </div>
      {remove.error && <ErrorNotice error={remove.error} />}
      {isAsking && (
        <ConfirmDialog
          title={`Remove ${member.email}?`}
          action="Remove member"
          request={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            Their sessions end within a minute. Keys that they made work until you delete them here.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function KeysOfMember({ member }: { readonly member: Member }) {
  const query = useQuery(keysOfMemberQuery(member.id));
  return (
    <QueryResult query={query}>
      {({ api_keys: keys }) =>
        keys.length === 0 ? (
          <p className="muted">Made none of the team’s keys.</p>
        ) : (
          <>
            <p>Keys that this person made:</p>
            <ul>
              {keys.map((key) => (
                <MadeKey key={key.id} made={key} />
              ))}
            </ul>
          </>
        )
      }
    </QueryResult>
  );
}

function MadeKey({ made: { id, name, key_prefix: prefix } }: { readonly made: ApiKey }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.apiKeys.delete(id),
    onSuccess: refreshMembers,
  });
  return (
    <li>
      {name} <code>{prefix}…</code>{" "}
      <Permitted operation="DELETE /v1/api-keys/{id}">
        <Button
          className="btn small danger"
          aria-label={`Delete key ${name}`}
          disabled={isPending}
          onClick={() => mutate()}
        >
          Delete key
        </Button>
      </Permitted>
      {error && <ErrorNotice error={error} />}
    </li>
  );
}
