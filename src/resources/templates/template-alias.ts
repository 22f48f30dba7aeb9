// Distinguishes a template's alias from an id (contract.md §Aliases). An alias never has the form
// of an id, so a text names at most one template of a team. Pure.
import { isUuid } from "../../lib/ids.ts";
import { TEMPLATE_ALIAS_CHARACTERS } from "../../limits.ts";

export const ALIAS = new RegExp(`^(?=[A-Za-z0-9])[A-Za-z0-9_.-]{1,${TEMPLATE_ALIAS_CHARACTERS}}$`);

const ID = /^template_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Matches the beginning of every id, in upper or lower case. An alias such as `Template_1` would
 * look like a wrong id.
 */
const ID_PREFIX = /^template_/i;

/** The last segment of the path `/v1/templates/preview`. As an alias it would be ambiguous. */
const ENDPOINT = "preview";

/** Returns whether a text cannot be an alias: a segment of a path, an id, or a text like an id. */
export function isReserved(text: string): boolean {
  return ID_PREFIX.test(text) || isUuid(text) || text === ENDPOINT;
}

export function isTemplateId(text: string): boolean {
  return ID.test(text);
}

export function isAlias(text: string): boolean {
  return ALIAS.test(text) && !isReserved(text);
}
