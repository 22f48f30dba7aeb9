// A menu of less frequent actions behind "⋯". A choice, Esc and a click elsewhere close it.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";

interface MoreMenuProps {
  /** Names the menu for screen readers, such as `More actions`. */
  readonly label: string;
  /** Buttons and links. */
  readonly children: ReactNode;
}

export function MoreMenu({ label, children }: MoreMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (menu.current) menu.current.open = false;
  };
  useEffect(() => {
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.contains(target)) close();
    };
    document.addEventListener("click", closeOutside);
    return () => document.removeEventListener("click", closeOutside);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || menu.current?.open !== true) return;
    event.stopPropagation();
    close();
    menu.current.querySelector("summary")?.focus();
  };
  return (
    <details ref={menu} className="more-menu" onKeyDown={onKeyDown}>
      <summary className="btn" aria-label={label}>
        ⋯
      </summary>
      <div onClick={close}>{children}</div>
    </details>
  );
}
