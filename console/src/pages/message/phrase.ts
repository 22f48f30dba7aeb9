// Sentences of plain words and quoted values, which a page sets in monospace. Pure.

/** Words, or a value that is quoted as it is. */
export type Part = string | { readonly code: string };

/** Returns the parts as plain text. */
export function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === "string" ? part : part.code)).join("");
}

const COMMANDS: Readonly<Record<string, string>> = {
  connect: "connect",
  helo: "EHLO",
  starttls: "STARTTLS",
  mail: "MAIL FROM",
  rcpt: "RCPT TO",
  data: "DATA",
  end: "end of data",
};

/** Returns the command that a reply of this stage answers; null: no server was asked. */
export function commandOf(stage: string | null): string | null {
  return stage === null ? null : (COMMANDS[stage] ?? stage.toUpperCase());
}
