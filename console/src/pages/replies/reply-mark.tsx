// Shows the kind of a reply in a word, and whether the reply was seen.
import type { Reply } from "../../../../packages/postern/src/generated/types.ts";
import { Pill } from "../../parts/pill.tsx";

export function ReplyMark({
  reply: { auto, seen },
}: {
  readonly reply: Pick<Reply, "auto" | "seen">;
}) {
  if (auto) return <Pill tone="mute">Automatic</Pill>;
  return seen ? <Pill tone="mute">Seen</Pill> : <Pill tone="ok">New</Pill>;
}
