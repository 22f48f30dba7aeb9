// Removes data from a text that must not be logged: local parts of addresses, credentials, and
// values that an error quotes from a body or a query. Linear in the text for any input. Pure.

const MASK = "***";
/** Matches a character that ends a local part, in a search backwards from the `@`. */
const DELIMITER = /[\s<>()[\]{},;:"'`|\\@]/;
/**
 * Matches a quoted local part. RFC 5321 allows 64 characters in it, and each may have a backslash.
 */
const QUOTED_LOCAL_PART = /"(?:[^"\\]|\\.){1,128}"@/g;
/** API keys, webhook secrets, and the credentials after an authentication scheme. */
const CREDENTIAL = /\b(ps_|whsec_)[\w+/=-]{6,}|\b(Bearer|Basic) +[^\s"',;]+/g;

/** Matches the domain of an address, in any script. */
const DOMAIN = /^[\p{L}\p{N}.-]{1,253}$/u;

/** Turns an address into `j…@example.net`. Undefined: the text is not an address. */
export function maskAddress(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  const [first] = text;
  const domain = text.slice(at + 1);
  return at > 0 && first !== undefined && DOMAIN.test(domain) ? `${first}…@${domain}` : undefined;
}

/** Redacts a text. `secrets` are removed wherever they occur. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, MASK);
  return maskAddresses(
    clean.replace(
      CREDENTIAL,
      (_, prefix?: string, scheme?: string) => (prefix ?? `${scheme} `) + MASK,
    ),
  );
}

/** Replaces each address by `***@example.com`, even if its `@` is percent-encoded. */
function maskAddresses(text: string): string {
  if (!text.includes("@") && !text.includes("%40")) return text;
  const plain = text.replaceAll("%40", "@").replace(QUOTED_LOCAL_PART, `${MASK}@`);
  let masked = "";
  let from = 0;
  for (let at = plain.indexOf("@"); at !== -1; at = plain.indexOf("@", at + 1)) {
    const start = startOfLocalPart(plain, from, at);
    if (start === at) continue;
    masked += plain.slice(from, start) + MASK;
    from = at;
  }
  return masked + plain.slice(from);
}

/**
 * Returns an error's message without quoted values. V8 quotes text that is not JSON, and drizzle
 * quotes the parameters of a failed query.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [message = ""] = error.message.split("\nparams:", 1);
  return message.endsWith("is not valid JSON") ? message.replace(/"[\s\S]*"/, '"…"') : message;
}

function startOfLocalPart(text: string, from: number, at: number): number {
  let start = at;
  while (start > from && !DELIMITER.test(text[start - 1] ?? "")) start -= 1;
  return start;
}
