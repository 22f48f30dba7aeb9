// Shows that a list is empty, with the next step and a command to copy.
import type { ReactNode } from "react";
import { CopyableBlock } from "./copy-button.tsx";

interface EmptyStateProps {
  readonly children: ReactNode;
  readonly command?: string;
}

export function EmptyState({ children, command }: EmptyStateProps) {
  return (
    <div className="empty">
      <p>{children}</p>
      {command !== undefined && <CopyableBlock text={command} />}
    </div>
  );
}
