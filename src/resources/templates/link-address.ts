// Decides which address of a link the derived text shows (docs/templates.md §The plain text). Pure,
// linear.

const NOT_AN_ADDRESS = /^(?:#|javascript:|data:|vbscript:|about:)/i;
const SCHEME_ALONE = /^[a-z][a-z0-9+.-]*:\/*$/i;
const ADDRESS_SCHEME = /^(?:mailto|tel|sms):/i;
/** White space and invisible characters. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\u034f]*$/u;

export interface LinkAddress {
  readonly whole: string;
  /** The address in the text. The address of a mailbox or telephone has no scheme. */
  readonly shown: string;
}

/** Returns the address to show, or null for a link without a usable target. */
export function linkAddressOf(href: string | undefined): LinkAddress | null {
  const whole = href?.trim() ?? "";
  if (NOT_AN_ADDRESS.test(whole) || SCHEME_ALONE.test(whole)) return null;
  const shown = stripSchemeAndQuery(whole);
  return INVISIBLE.test(shown) ? null : { whole, shown };
}

/** Removes the scheme and the query of a mailbox or telephone link. Keeps a query with tags. */
function stripSchemeAndQuery(address: string): string {
  const scheme = ADDRESS_SCHEME.exec(address)?.[0];
  if (scheme === undefined) return address;
  const afterTags = Math.max(address.lastIndexOf("{"), address.lastIndexOf("}")) + 1;
  const query = address.indexOf("?", afterTags);
  return address.slice(scheme.length, query < 0 ? undefined : query);
}
