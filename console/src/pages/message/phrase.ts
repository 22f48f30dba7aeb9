// Sentences of plain words and quoted values, which a page sets in monospace. Pure.

/** Words, or a value that is quoted as it is. */
export type Part = string | { readonly code: string };

const ORDINALS = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
] as const;

/** Returns the parts as plain text. */
export function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === "string" ? part : part.code)).join("");
}

/** Joins sentences with a space between them. Empty ones are left out. */
export function joinSentences(sentences: readonly (readonly Part[])[]): Part[] {
  return sentences
    .filter((sentence) => sentence.length > 0)
    .flatMap((sentence, index) => (index === 0 ? sentence : [" ", ...sentence]));
}

/** Returns `on the second attempt`; null: no attempt is known. */
export function onAttempt(attempt: number | null): string {
  if (attempt === null) return "";
  const ordinal = ORDINALS[attempt - 1];
  return ordinal === undefined ? `on attempt ${attempt}` : `on the ${ordinal} attempt`;
}

/** Writes a day in UTC, such as `20 Feb 2027`. */
export function formatDay(at: number): string {
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  }).format(at);
}

/** Says a stage of an SMTP session as a place: `at RCPT`. */
export function atStage(stage: string | null): string {
  switch (stage) {
    case null:
      return "";
    case "connect":
      return "on connecting";
    case "helo":
      return "at EHLO";
    case "end":
      return "after the content";
    default:
      return `at ${stage.toUpperCase()}`;
  }
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
