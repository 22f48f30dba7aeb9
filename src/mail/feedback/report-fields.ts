// Fields, `Name: value`, as the header of a message, a delivery status and a feedback report have
// them (RFC 5322 section 2.2, RFC 3464 section 2.1.1, RFC 5965 section 3): read as leniently as
// broken mail servers write them, in linear time. Pure.

export interface Field {
  /** Lower case. */
  readonly name: string;
  /** Unfolded and trimmed, one character an octet. */
  readonly value: string;
}

interface Block {
  readonly fields: readonly Field[];
  /** The index of the first line behind it, and behind the empty line that ends it. */
  readonly end: number;
}

const FIELD = /^([!-9;-~]{1,100})[ \t]*:(.*)$/s;
/** mbox's first line. */
const ENVELOPE = /^>?From /;

/**
 * The fields from line `start` on, up to an empty line or one that is neither a field nor its
 * continuation.
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

/** The first field of that name (lower case). */
export function valueOf(fields: readonly Field[], name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value;
}
