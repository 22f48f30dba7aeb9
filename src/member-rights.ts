// Decides what a member of a team may do, for every endpoint of the table (docs/people.md). No
// other file decides it. Pure.

export const ROLES = ["owner", "developer", "viewer"] as const;
export type Role = (typeof ROLES)[number];

export interface MemberRights {
  readonly role: Role;
  /** True: the viewer may lift suppressions and send messages again. */
  readonly mayLift: boolean;
  /** True: the viewer may read the content of messages. */
  readonly mayReadContent: boolean;
}

/**
 * Endpoints for programs only. Programs read their identity here, and people at GET
 * /console/session.
 */
const FOR_KEYS_ONLY = new Set(["GET /v1/whoami"]);

const CONTENT = new Set([
  "GET /v1/email/:id/content",
  "GET /v1/email/:id/content/attachments/:index",
  "GET /v1/replies",
  "GET /v1/replies/:id",
  "GET /v1/replies/:id/raw",
  "GET /v1/replies/:id/attachments/:index",
]);

const LIFTING = new Set([
  "DELETE /v1/suppressions/:email",
  "DELETE /v1/suppressions/:email/:topic",
  "POST /v1/email/:id/send-again",
]);

/** Endpoints that change nothing, although their method is POST. */
const READING = new Set(["POST /v1/templates/preview", "POST /v1/email/check"]);

/** The parts of an endpoint (endpoint.ts) that name it. */
interface Named {
  readonly method: string;
  readonly path: string;
  readonly permission: string;
}

export function mayCall({ role, mayLift, mayReadContent }: MemberRights, endpoint: Named): boolean {
  const name = `${endpoint.method} ${endpoint.path}`;
  if (FOR_KEYS_ONLY.has(name)) return false;
  if (endpoint.permission === "owner") return role === "owner";
  if (role !== "viewer") return true;
  if (CONTENT.has(name)) return mayReadContent;
  if (LIFTING.has(name)) return mayLift;
  return endpoint.method === "GET" || READING.has(name);
}
