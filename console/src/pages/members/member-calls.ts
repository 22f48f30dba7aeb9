// The calls of the page "Members" (docs/people.md).
import { queryOptions } from "@tanstack/react-query";
import type { ApiKey } from "../../../../packages/postern/src/generated/types.ts";
import { callService } from "../../api/api-client.ts";
import type { SignedInPerson } from "../../api/console-session.ts";
import { queryClient } from "../../api/query-client.ts";

const PATH = "/console/members";
const LIST = ["members"] as const;

export type Rights = Pick<SignedInPerson, "role" | "may_lift_suppressions" | "may_read_content">;

export interface Member extends Rights {
  readonly id: string;
  readonly email: string;
  readonly created_at: string;
  readonly removed_at: string | null;
}

export interface Invitation extends Rights {
  readonly id: string;
  readonly email: string;
  readonly expires_at: string;
}

export interface NewInvitation extends Invitation {
  readonly url: string;
  readonly mailed: boolean;
}

interface Members {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
}

export const membersQuery = queryOptions({
  queryKey: LIST,
  queryFn: () => callService<Members>({ method: "GET", path: PATH }),
});

export const keysOfMemberQuery = (id: string) =>
  queryOptions({
    queryKey: [...LIST, id],
    queryFn: () =>
      callService<{ readonly api_keys: readonly ApiKey[] }>({
        method: "GET",
        path: `${PATH}/${id}`,
      }),
  });

export function invite(
  body: Rights & { readonly email: string; readonly send_mail: boolean },
): Promise<NewInvitation> {
  return callService({ method: "POST", path: PATH, body });
}

export function changeMember(id: string, body: Partial<Rights>): Promise<Member> {
  return callService({ method: "PATCH", path: `${PATH}/${id}`, body });
}

/** Removes a member, or withdraws an invitation. */
export function removeMember(id: string): Promise<void> {
  return callService({ method: "DELETE", path: `${PATH}/${id}` });
}

export function refreshMembers(): void {
  void queryClient.invalidateQueries({ queryKey: LIST });
}
