// Names the columns of content, which the tables of templates and of drafts have alike, and turns
// their values into content and back.
import type { Content } from "./template-content.ts";

/** A row's content as D1 returns it: lists and objects as JSON. */
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

/** A list of all columns, each as `write` makes it of its name and its place in the list. */
export function listColumns(write: (column: string, index: number) => string): string {
  return COLUMNS.map(write).join(", ");
}

/** Selects the columns of a table as the members of ContentColumns. */
export function selectContent(table: string): string {
  return MEMBERS.map((member) => `${table}.${COLUMN_OF[member]} AS "${member}"`).join(", ");
}

/** The values to store, in the order of COLUMNS. Undefined for a member that `content` lacks. */
export function columnValues(content: Partial<Content>): (string | null | undefined)[] {
  return MEMBERS.map((member) => {
    const value = content[member];
    return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  });
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
