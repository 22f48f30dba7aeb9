// Copies a text, and shows a confirmation for a moment.
import { useEffect, useState } from "react";

const SHOWN_MS = 1_500;

export function CopyButton({
  text,
  label = "copy",
  about,
}: {
  readonly text: string;
  readonly label?: string;
  /** Names the copied value for screen readers, such as "the name www". */
  readonly about?: string;
}) {
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
