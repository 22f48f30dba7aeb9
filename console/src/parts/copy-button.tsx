// Buttons that copy a text, and texts with such a button.
import { useEffect, useState } from "react";

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
  readonly label?: string;
  /** Names the copied value for screen readers, such as "the name www". */
  readonly about?: string;
}

/** Copies a text, and shows a confirmation for a moment. */
export function CopyButton({ text, label = "copy", about }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  return (
    <button type="button" className="copy" onClick={copy}>
      <span aria-live="polite">{isCopied ? "copied" : label}</span>
      {about !== undefined && <span className="unseen"> {about}</span>}
    </button>
  );
}

/** A value as code. */
export function CopyableCode(props: CopyButtonProps) {
  return (
    <>
      <code>{props.text}</code> <CopyButton {...props} />
    </>
  );
}

/** A text in a block of its own, such as a command. */
export function CopyableBlock({ text }: Pick<CopyButtonProps, "text">) {
  return (
    <pre className="said">
      {text} <CopyButton text={text} />
    </pre>
  );
}
