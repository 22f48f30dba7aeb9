// Draws a chart with uPlot, in the theme's colours and in the width of its container. It redraws
// when one of them changes. The canvas is hidden from screen readers, because each chart has a
// table beside it.
import { type ReactNode, useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

/** The colour variables of styles/colours.css that charts use. */
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

/** The margins of a chart's plotting area, in pixels. */
export type PlotInset = readonly [top: number, right: number, bottom: number, left: number];

type PlotOptions = Omit<uPlot.Options, "width" | "height">;

interface PlotProps {
  readonly height: number;
  readonly data: uPlot.AlignedData;
  /**
   * Returns the chart's options. If this property changes to another function, the chart is
   * redrawn.
   */
  readonly options: (palette: Palette) => PlotOptions;
  /** Content that is placed over the chart. */
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

interface PlotParts {
  readonly palette: Palette;
  readonly inset: PlotInset;
  /** The number of intervals. */
  readonly places: number;
  /** The highest value of the y axis. */
  readonly top: number;
  readonly x: uPlot.Axis;
  readonly y: uPlot.Axis;
  readonly series: readonly uPlot.Series[];
}

/** Returns the options of a chart with one place for each interval. */
export function plotOptions({ palette, inset, places, top, x, y, series }: PlotParts): PlotOptions {
  const [above, right, below, left] = inset;
  const axis = {
    stroke: palette["ink-3"],
    font: "11px system-ui, sans-serif",
    ticks: { show: false },
    grid: { show: false },
  };
  return {
    legend: { show: false },
    cursor: { show: false },
    padding: [above, right, 0, 0],
    scales: { x: { time: false, range: [-0.5, places - 0.5] }, y: { range: [0, top] } },
    axes: [
      { ...axis, size: below, ...x },
      { ...axis, size: left, ...y },
    ],
    series: [{}, ...series],
  };
}

/** Returns the current colours. Updates them when the reader or the system changes the theme. */
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

/** Reads the colour variables from an element, because a canvas does not support `light-dark()`. */
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

/** The patterns of a chart's parts, for people who can't tell colours apart. */
export type Hatch = "none" | "slanted" | "dotted";

const TILE = 6;

/** Returns the fill of a chart's part: its colour with a pattern. */
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
