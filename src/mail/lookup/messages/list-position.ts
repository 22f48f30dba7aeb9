// Writes and reads the position that a list of messages has reached (contract.md §List of
// messages). Positions in lists of scheduled messages have another form, so that a cursor works
// only for its own list. Pure.
import type { Bookmarks } from "../../../rpc/shard-types.ts";
import { isBookmark } from "../../../db/shard-session.ts";

export interface MessageListPosition {
  /**
   * The next page has only messages with ids below this text. The text is an id or the start of an
   * id.
   */
  readonly before: string;
  /**
   * The database bookmarks of earlier pages. Further pages must see at least the writes that
   * earlier pages saw.
   */
  readonly seen: Bookmarks;
}

/** The position at the start of a list, before the newest message. */
export const FIRST_POSITION: MessageListPosition = { before: "email_~", seen: {} };

const PLACE = /^all (email_[0-9a-f-]{13,36})((?: \d{1,3}:[^ :]+)*)$/;

export function listPositionText({ before, seen }: MessageListPosition): string {
  const bookmarks = Object.entries(seen).map(([shard, bookmark]) => ` ${shard}:${bookmark}`);
  return `all ${before}${bookmarks.join("")}`;
}

/** Reads a position. Undefined means that the text is the position of another list. */
export function readListPosition(text: string): MessageListPosition | undefined {
  const [, before, bookmarks = ""] = PLACE.exec(text) ?? [];
  if (before === undefined) return undefined;
  const seen = bookmarks.split(" ").flatMap((part): [number, string][] => {
    const [shard = "", bookmark = ""] = part.split(":");
    return isBookmark(bookmark) ? [[Number(shard), bookmark]] : [];
  });
  return { before, seen: Object.fromEntries(seen) };
}
