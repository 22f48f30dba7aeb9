// The operator's sections: their paths, names and the shortcut letters after `g`.
import type { FrameSection } from "../../shell/frame.tsx";

export const OPERATOR_SECTIONS = [
  { to: "/operator", name: "Overview", letter: "o", isInBar: true },
  { to: "/operator/teams", name: "Teams", letter: "t", isInBar: true },
  { to: "/operator/shards", name: "Shards", letter: "s", isInBar: false },
  { to: "/operator/delivery", name: "Delivery", letter: "d", isInBar: true },
  { to: "/operator/dead-letters", name: "Dead letters", letter: "l", isInBar: true },
] as const satisfies readonly FrameSection[];
