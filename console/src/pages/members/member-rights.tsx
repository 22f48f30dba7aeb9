// The fields for a member's role and switches. The switches have an effect only for viewers.
import { useState } from "react";
import type { MemberRole } from "../../api/console-session.ts";
import { capitalized } from "../../parts/typography.ts";
import type { Rights } from "./member-calls.ts";

const ROLES: readonly (readonly [role: MemberRole, about: string])[] = [
  ["viewer", "Viewer: reads"],
  ["developer", "Developer: everything except members and audit"],
  ["owner", "Owner: everything"],
];

export function RightsFields({ rights }: { readonly rights: Rights }) {
  const [role, setRole] = useState(rights.role);
  return (
    <>
      <fieldset>
        <legend>Role</legend>
        {ROLES.map(([value, about]) => (
          <label key={value}>
            <input
              type="radio"
              name="role"
              value={value}
              checked={role === value}
              onChange={() => setRole(value)}
            />{" "}
            {about}
          </label>
        ))}
      </fieldset>
      {role === "viewer" && (
        <fieldset>
          <legend>A viewer may also</legend>
          <label>
            <input type="checkbox" name="lift" defaultChecked={rights.may_lift_suppressions} /> lift
            suppressions and send messages again
          </label>
          <label>
            <input type="checkbox" name="content" defaultChecked={rights.may_read_content} /> read
            the content of messages
          </label>
        </fieldset>
      )}
    </>
  );
}

export function rightsIn(form: FormData): Rights {
  const role = form.get("role");
  return {
    role: role === "owner" || role === "developer" ? role : "viewer",
    may_lift_suppressions: form.has("lift"),
    may_read_content: form.has("content"),
  };
}

export function rightsText({
  role,
  may_lift_suppressions: lift,
  may_read_content: content,
}: Rights): string {
  const name = capitalized(role);
  if (role !== "viewer") return name;
  const also = [...(lift ? ["lifts, sends again"] : []), ...(content ? ["reads content"] : [])];
  return [name, ...also].join(", ");
}
