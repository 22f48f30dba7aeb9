// The columns of the list of suppressions.
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { Pill } from "../../parts/pill.tsx";
import type { Tone } from "../../parts/tone.ts";
import type { ListColumn } from "../../parts/list/record-list.tsx";
import { agoColumn } from "../../parts/list/time-column.tsx";
import { LiftingMark } from "../message/lift-suppression.tsx";
import { REASON_NAMES, topicText } from "../message/suppression-texts.ts";

const TONES: Readonly<Record<Suppression["reason"], Tone>> = {
  permanent_bounce: "bad",
  complaint: "spam",
  unsubscribed: "mute",
  manual: "mute",
};

export const SUPPRESSION_COLUMNS: readonly ListColumn<Suppression>[] = [
  { name: "Address", cell: ({ email }) => email, width: "longest" },
  {
    name: "Reason",
    cell: (suppression) => (
      <LiftingMark suppression={suppression}>
        <Pill tone={TONES[suppression.reason]}>{REASON_NAMES[suppression.reason]}</Pill>
      </LiftingMark>
    ),
    width: "pills",
  },
  { name: "Topic", cell: ({ topic }) => topicText(topic), isSecondary: true },
  { name: "Note", cell: ({ note }) => note ?? "–", isSecondary: true, width: "long" },
  agoColumn("Since", (suppression) => suppression.suppressed_at),
];
