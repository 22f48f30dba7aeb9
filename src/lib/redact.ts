// Takes out of a text what no log may hold: the local parts of addresses, credentials, and what an
// error quotes of a body or of a query's parameters. Linear in the text, whatever it holds.

const MASK = "***";
/** What ends a local part, going back from its `@`. */
const DELIMITER = /[\s<>()[\]{},;:"'`|\\@]/;
/** RFC 5321 allows 64 characters. */
const QUOTED_LOCAL_PART = /"(?:[^"\\]|\\.){1,128}"@/g;
/** API keys, webhook secrets, and whatever stands behind a scheme's name. */
const CREDENTIAL = /\b(ps_|whsec_)[\w+/=-]{6,}|\b(Bearer|Basic) +[^\s"',;]+/g;

/** `secrets`: texts that must not appear at all. */
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

/** `***@example.com` for each address, also for one whose `@` is percent-encoded. */
export function maskAddresses(text: string): string {
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
 * An error's message without what it quotes: V8 shows the text that is no JSON, and drizzle the
 * parameters of the query that failed.
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
