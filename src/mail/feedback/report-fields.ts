// Reads `Name: value` fields as in message headers, delivery statuses and feedback reports (RFC
// 5322 §2.2, RFC 3464 §2.1.1, RFC 5965 §3). Tolerates the mistakes of broken mail servers, in
// linear time. Pure.

export interface Field {
  /** Lower case. */
  readonly name: string;
  /** The field's value, unfolded and trimmed, with one character per octet. */
  readonly value: string;
}

interface Block {
  readonly fields: readonly Field[];
  /** Index of the first line after the fields and after the empty line that ends them. */
  readonly end: number;
}

const FIELD = /^([!-9;-~]{1,100})[ \t]*:(.*)$/s;
/** First line of a message in an mbox file. */
const ENVELOPE = /^>?From /;

/**
 * Reads the fields from line `start` on, up to an empty line or a line that is neither a field nor
 * a continuation.
 */
export function readFields(lines: readonly string[], start = 0): Block {
  const found: { name: string; readonly lines: string[] }[] = [];
  let at = start;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "") break;
    const last = found.at(-1);
    if (/^[ \t]/.test(line) && last) {
      last.lines.push(line);
      continue;
    }
    const [, name, value = ""] = FIELD.exec(line) ?? [];
    if (name !== undefined) found.push({ name: name.toLowerCase(), lines: [value] });
    else if (at !== start || !ENVELOPE.test(line)) break;
  }
  const ended = at < lines.length && (lines[at] ?? "").trim() === "";
  return {
    fields: found.map(({ name, lines: value }) => ({ name, value: value.join("").trim() })),
    end: ended ? at + 1 : at,
  };
}

/** Reads the fields at the start of a text, after any empty lines. */
export function readLeadingFields(lines: readonly string[]): readonly Field[] {
  const start = lines.findIndex((line) => line.trim() !== "");
  return start < 0 ? [] : readFields(lines, start).fields;
}

/** Returns the value of the first field with this name (lower case). */
export function valueOf(fields: readonly Field[], name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value;
}
