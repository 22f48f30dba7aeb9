// Names the content columns, which the tables of templates and of drafts both have. Converts their
// values to content and back.
import type { Content } from "./template-content.ts";

/** A row's content as D1 returns it, with lists and objects as JSON. */
export type ContentColumns = Omit<Content, "replyTo" | "fallbacks"> & {
  readonly replyTo: string | null;
  readonly fallbacks: string | null;
};

const COLUMN_OF = {
  subject: "subject",
  html: "html",
  text: "text",
  markdown: "markdown",
  from: "sender",
  replyTo: "reply_to",
  fallbacks: "fallbacks",
} as const satisfies Record<keyof Content, string>;

const MEMBERS = Object.keys(COLUMN_OF) as readonly (keyof Content)[];

export const COLUMNS: readonly string[] = Object.values(COLUMN_OF);

/** Returns all columns, separated by commas. `write` makes an entry from a name and its index. */
export function listColumns(write: (column: string, index: number) => string): string {
  return COLUMNS.map(write).join(", ");
}

/** Returns the SQL that selects a table's columns under the member names of ContentColumns. */
export function selectContent(table: string): string {
  return MEMBERS.map((member) => `${table}.${COLUMN_OF[member]} AS "${member}"`).join(", ");
}

/** Returns the values to store, in the order of COLUMNS. Undefined: `content` lacks the member. */
export function columnValues(content: Partial<Content>): (string | null | undefined)[] {
  return MEMBERS.map((member) => {
    const value = content[member];
    return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  });
}

/** Returns the values to store, by the columns' names. */
export function columnsByName(content: Content): Record<string, string | null> {
  const values = columnValues(content);
  return Object.fromEntries(COLUMNS.map((name, index) => [name, values[index] ?? null]));
}

export function parseColumns<Row extends Pick<ContentColumns, "replyTo" | "fallbacks">>(
  row: Row,
): Omit<Row, "replyTo" | "fallbacks"> & Pick<Content, "replyTo" | "fallbacks"> {
  return {
    ...row,
    replyTo: row.replyTo === null ? null : (JSON.parse(row.replyTo) as Content["replyTo"]),
    fallbacks: row.fallbacks === null ? null : (JSON.parse(row.fallbacks) as Content["fallbacks"]),
  };
}
