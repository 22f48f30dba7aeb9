// Draws a chart with uPlot: in the theme's colours, as wide as its place, and again when either
// changes. The canvas is hidden from screen readers: each chart has a table beside it.
import { type ReactNode, useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

/** The tokens of styles/colours.css that charts are drawn with. */
const TOKENS = [
  "ok",
  "wait",
  "bad",
  "spam",
  "see",
  "mute",
  "ink-3",
  "line",
  "line-2",
  "panel",
] as const;

export type Palette = Readonly<Record<(typeof TOKENS)[number], string>>;

/** Distances of a chart's plotting area from its edges, in pixels. */
export type PlotInset = readonly [top: number, right: number, bottom: number, left: number];

interface PlotProps {
  readonly height: number;
  readonly data: uPlot.AlignedData;
  /** Makes the options. A new function draws the chart anew. */
  readonly options: (palette: Palette) => Omit<uPlot.Options, "width" | "height">;
  /** Lies over the chart. */
  readonly children?: ReactNode;
}

export function Plot({ height, data, options, children }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const palette = usePalette();
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const width = (): number => Math.max(120, Math.floor(element.clientWidth));
    const chart = new uPlot({ ...options(palette), width: width(), height }, data, element);
    const observer = new ResizeObserver(() => {
      if (width() !== chart.width) chart.setSize({ width: width(), height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [height, data, options, palette]);
  return (
    <div className="plot" style={{ height }}>
      <div ref={place} aria-hidden="true" />
      {children}
    </div>
  );
}

/** Returns the colours in force, and new ones when the reader or the system changes the theme. */
function usePalette(): Palette {
  const [palette, setPalette] = useState(readPalette);
  useEffect(() => {
    const read = (): void => setPalette(readPalette());
    const theme = new MutationObserver(read);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", read);
    return () => {
      theme.disconnect();
      system.removeEventListener("change", read);
    };
  }, []);
  return palette;
}

/** Resolves the tokens on an element, since a canvas does not know `light-dark()`. */
function readPalette(): Palette {
  const probe = document.createElement("span");
  document.body.append(probe);
  const colours = TOKENS.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours) as Palette;
}

/** The tones of a chart's parts, each with a pattern of its own for those who see no hues. */
export type Hatch = "none" | "slanted" | "dotted";

const TILE = 6;

/** Returns what fills a part of a chart: its colour, broken by a pattern of the surface's. */
export function hatched(
  { ctx }: uPlot,
  colour: string,
  { panel }: Palette,
  hatch: Hatch,
): string | CanvasPattern {
  if (hatch === "none") return colour;
  const size = TILE * uPlot.pxRatio;
  const tile = new OffscreenCanvas(size, size);
  const brush = tile.getContext("2d");
  if (!brush) return colour;
  brush.fillStyle = colour;
  brush.fillRect(0, 0, size, size);
  brush.strokeStyle = panel;
  brush.fillStyle = panel;
  brush.lineWidth = size / 4;
  if (hatch === "dotted") brush.fillRect(size / 4, size / 4, size / 2.5, size / 2.5);
  else
    for (const shift of [-size, 0, size]) {
      brush.beginPath();
      brush.moveTo(shift, size);
      brush.lineTo(shift + size, 0);
      brush.stroke();
    }
  return ctx.createPattern(tile, "repeat") ?? colour;
}
