// Finds the template that a path names by its id or its alias (contract.md §Aliases).
import { coreOf, type Scope } from "../../db/client.ts";
import type { ApiRequest } from "../../endpoint.ts";
import { findTemplateId } from "./store.ts";

/** Returns the scope of the caller's team, and the id of the template in the path. */
export async function targetOf(request: ApiRequest): Promise<[Scope, string]> {
  const scope = coreOf(request);
  return [scope, await findTemplateId(scope, request.id)];
}
