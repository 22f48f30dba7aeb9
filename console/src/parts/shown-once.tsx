// Shows a secret that the service returns only once.
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { CopyableBlock } from "./copy-button.tsx";

interface ShownOnceProps {
  /** The label of the panel, if it is not the title. */
  readonly label?: string;
  readonly title: string;
  readonly secret: string;
  /** True: a screen reader announces the secret. */
  readonly isAnnounced?: boolean;
  /** Says what the secret is for. */
  readonly children: ReactNode;
  /** A further button. */
  readonly next?: ReactNode;
  readonly onClose: () => void;
}

export function ShownOnce(props: ShownOnceProps) {
  const { title, label = title, secret, isAnnounced = false, children, next, onClose } = props;
  return (
    <section className="panel padded" aria-label={label} role={isAnnounced ? "status" : undefined}>
      <h2>{title}</h2>
      <p>{children}</p>
      <CopyableBlock text={secret} />
      <div className="buttons">
        <Button onClick={onClose}>Done</Button>
        {next}
      </div>
    </section>
  );
}
