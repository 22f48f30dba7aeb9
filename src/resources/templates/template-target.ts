// Finds the template that a path names by its id or its alias (contract.md §Aliases), and writes
// its draft by the rules of If-Match (contract.md §Preconditions).
import { coreOf, type Scope } from "../../db/client.ts";
import type { ApiRequest } from "../../endpoint.ts";
import { writeIfMatch } from "../../write-if-match.ts";
import { etagOfBasis } from "./draft-basis.ts";
import { getBasis, type KnownBasis } from "./draft-store.ts";
import { findTemplateId } from "./store.ts";

/** Returns the scope of the caller's team, and the id of the template in the path. */
export async function targetOf(request: ApiRequest): Promise<[Scope, string]> {
  const scope = coreOf(request);
  return [scope, await findTemplateId(scope, request.id)];
}

/** Runs `write`, which changes the template's draft, if the request's If-Match allows it. */
export function writeDraft<After>(
  request: ApiRequest,
  scope: Scope,
  id: string,
  write: (before: KnownBasis | null) => Promise<After | undefined>,
): Promise<After> {
  const read = () => getBasis(scope, id);
  return writeIfMatch(request, { read, etagOf: etagOfBasis, write });
}
