// Describes a request as the trail does (docs/audit.md): who made it, and through which interface.
import type { Context } from "hono";
import { type Actor, type AuditDoor, type Author, newAuditId } from "../audit.ts";
import type { Endpoint } from "../endpoint.ts";
import type { ApiContext } from "./api-context.ts";
import { doorOf } from "./translated-request.ts";

/** Returns who made the request. Null: the endpoint leaves no entry in the trail. */
export function authorOf({ audit, permission }: Endpoint, c: Context<ApiContext>): Author | null {
  if (!audit) return null;
  const isOperator = permission === "operator";
  return {
    entryId: newAuditId(c.get("now")),
    at: c.get("now"),
    actor: isOperator ? OPERATOR : actorOf(c),
    via: viaOf(c),
    operation: audit.operation,
    requestId: c.get("requestId"),
  };
}

const OPERATOR: Actor = { kind: "operator", id: null, name: null };

function actorOf(c: Context<ApiContext>): Actor {
  const { key, person } = c.get("caller");
  if (person) return { kind: "person", id: person.id, name: person.email };
  return { kind: "key", id: key?.id ?? null, name: key?.name ?? null };
}

function viaOf(c: Context<ApiContext>): AuditDoor {
  return doorOf(c.req.raw) ?? (c.get("headers").has("Authorization") ? "api" : "console");
}
