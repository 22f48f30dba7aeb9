// Reads the examples of header sections (test/fixtures/headers). A file is a list of sections, each
// below a line `# program`, or `# ! program` for a section that is refused. A line that begins with
// a space is submitted and kept; with `-` it is only submitted, with `+` only in the result, and
// `!` gives the reason of a refusal. Octets that can't be printed are written `\xE9`, `\0`, `\r`; a
// backslash is doubled.
export interface Section {
  readonly name: string;
  /** The message as it is submitted, one character per octet. */
  readonly message: string;
  /**
   * The result for the message: the header section of the mailed copy, or the refusal with its path
   * and problem.
   */
  readonly result:
    | { readonly kind: "taken"; readonly header: string }
    | { readonly kind: "refused"; readonly reason: string };
}

const BODY = "\r\n\r\nbody\r\n";
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["0", "\0"],
  ["r", "\r"],
  ["\\", "\\"],
]);

const files = import.meta.glob("../../../../fixtures/headers/*.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});

export const SECTIONS: readonly Section[] = Object.values(files).flatMap((text) =>
  text.split(/^# /m).slice(1).map(readSection),
);

function readSection(text: string): Section {
  const [title = "", ...lines] = text.trimEnd().split("\n");
  const linesOf = (marks: string) =>
    lines.filter((line) => marks.includes(line.charAt(0))).map((line) => unescape(line.slice(1)));
  const [reason = ""] = linesOf("!");
  return {
    name: title.replace(/^! /, ""),
    message: linesOf(" -").join("\r\n") + BODY,
    result: title.startsWith("! ")
      ? { kind: "refused", reason: reason.trim() }
      : { kind: "taken", header: linesOf(" +").join("\r\n") },
  };
}

function unescape(line: string): string {
  return line.replace(
    /\\(?:x([0-9A-F]{2})|(.))/g,
    (_, hex: string | undefined, character: string) =>
      hex === undefined
        ? (ESCAPES.get(character) ?? character)
        : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
