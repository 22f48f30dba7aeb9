// Sentences of words and literal values. A page sets the values in monospace. Pure.

/** A part of a sentence: words, or a literal value. */
export type Part = string | { readonly code: string };

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

/** Returns the SMTP command for a stage of the SMTP session. Null: no server was contacted. */
export function commandOf(stage: string | null): string | null {
  return stage === null ? null : (COMMANDS[stage] ?? stage.toUpperCase());
}
