// Tells a template's alias from its id (contract.md §Aliases). An alias never looks like an id, so
// that a text names at most one template of a team. Pure.
import { isUuid } from "../../lib/ids.ts";
import { TEMPLATE_ALIAS_CHARACTERS } from "../../limits.ts";

export const ALIAS = new RegExp(`^(?=[A-Za-z0-9])[A-Za-z0-9_.-]{1,${TEMPLATE_ALIAS_CHARACTERS}}$`);

const ID = /^template_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The beginning of every id, in any case: `Template_1` would be taken for a wrong id by people. */
const ID_PREFIX = /^template_/i;

/** The last part of a path that has no alias: `/v1/templates/preview`. */
const ENDPOINT = "preview";

/** Tells whether a text is an endpoint's, has the form of an id, or could be taken for one. */
export function isReserved(text: string): boolean {
  return ID_PREFIX.test(text) || isUuid(text) || text === ENDPOINT;
}

export function isTemplateId(text: string): boolean {
  return ID.test(text);
}

export function isAlias(text: string): boolean {
  return ALIAS.test(text) && !isReserved(text);
}
