// Writes and reads the place that a list of messages has reached (contract.md §List of messages).
// Its text differs from the places of the lists of scheduled messages, so that no cursor is taken
// for one of another list. Pure.
import type { Bookmarks } from "../../../rpc/shard-types.ts";
import { isBookmark } from "../../../db/read-session.ts";

export interface MessageListPosition {
  /** The next messages have lower ids: an id, or the start of ids. */
  readonly before: string;
  /** The bookmarks of earlier pages. Later pages must see at least as much. */
  readonly seen: Bookmarks;
}

/** Before the newest message. */
export const FIRST_PLACE: MessageListPosition = { before: "email_~", seen: {} };

const PLACE = /^all (email_[0-9a-f-]{13,36})((?: \d{1,3}:[^ :]+)*)$/;

export function listPositionText({ before, seen }: MessageListPosition): string {
  const bookmarks = Object.entries(seen).map(([shard, bookmark]) => ` ${shard}:${bookmark}`);
  return `all ${before}${bookmarks.join("")}`;
}

/** Undefined: the text is the place of another list. */
export function readListPosition(text: string): MessageListPosition | undefined {
  const [, before, bookmarks = ""] = PLACE.exec(text) ?? [];
  if (before === undefined) return undefined;
  const seen = bookmarks.split(" ").flatMap((part): [number, string][] => {
    const [shard = "", bookmark = ""] = part.split(":");
    return isBookmark(bookmark) ? [[Number(shard), bookmark]] : [];
  });
  return { before, seen: Object.fromEntries(seen) };
}
