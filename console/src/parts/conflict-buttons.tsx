// The choice after another person or tab changed the resource: the person saves their own version,
// or takes the stored one.
import type { ReactNode } from "react";
import { SmallButton } from "./button.tsx";

interface ConflictButtonsProps {
  readonly onMine: () => void;
  readonly onTheirs: () => void;
  /** An additional choice, which is shown first. */
  readonly children?: ReactNode;
}

export function ConflictButtons({ onMine, onTheirs, children }: ConflictButtonsProps) {
  return (
    <div className="buttons">
      {children}
      <SmallButton onClick={onMine}>Save mine</SmallButton>
      <SmallButton onClick={onTheirs}>Take theirs</SmallButton>
    </div>
  );
}
