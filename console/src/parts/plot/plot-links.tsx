// Links over a chart of events: each bar and point leads to the events that it counts. A keyboard
// user enters the links with one Tab, and moves between them with the arrow keys.
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { SHORTCUTS } from "../key-table.ts";
import type { PlotInset } from "./plot.tsx";
import { linkAfter, type PlotLink } from "./plot-keys.ts";

interface PlotLinksProps {
  readonly label: string;
  readonly links: readonly PlotLink[];
  /** The number of the chart's intervals. */
  readonly places: number;
  readonly inset: PlotInset;
  /** True: the last interval is incomplete, so it is drawn paler. */
  readonly isSoFar?: boolean;
  /** Is called with the link that is under the pointer or has the focus. Null: no link is. */
  readonly onPoint?: (link: PlotLink | null) => void;
}

export function PlotLinks(props: PlotLinksProps) {
  const { label, links, places, inset, isSoFar = false, onPoint } = props;
  const group = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState<string>();
  const [first] = links;
  const stop =
    links.find((link) => idOf(link) === last) ??
    (first && linkAfter(links, first, SHORTCUTS.lastBar.key));
  const width = 100 / places;
  const [top, right, bottom, left] = inset;
  return (
    <div
      ref={group}
      role="group"
      aria-label={label}
      className="plot-links"
      style={{ inset: `${top}px ${right}px ${bottom}px ${left}px` }}
      onPointerLeave={() => onPoint?.(null)}
    >
      {isSoFar && <i className="so-far" style={{ left: `${100 - width}%`, width: `${width}%` }} />}
      {links.map((link) => (
        <Link
          key={idOf(link)}
          to="/messages"
          search={link.search}
          preload={false}
          aria-label={link.label}
          title={link.label}
          tabIndex={link === stop ? 0 : -1}
          style={{
            left: `${link.place * width}%`,
            width: `${width}%`,
            bottom: `${link.from * 100}%`,
            height: `${(link.to - link.from) * 100}%`,
          }}
          onPointerEnter={() => onPoint?.(link)}
          onFocus={() => {
            setLast(idOf(link));
            onPoint?.(link);
          }}
          onBlur={() => onPoint?.(null)}
          onKeyDown={(event) => {
            const next = linkAfter(links, link, event.key);
            if (!next) return;
            event.preventDefault();
            group.current?.querySelectorAll("a")[links.indexOf(next)]?.focus();
          }}
        />
      ))}
    </div>
  );
}

function idOf({ place, part }: PlotLink): string {
  return `${place} ${part}`;
}
