// An allowance as a bar with the used part and the projected part.
import { formatCount, formatShare } from "../../parts/figures.ts";
import { toneOfUse } from "./usage-figures.ts";

interface AllowanceBarProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  /** The projected use at the end of the period. Null: it is not known. */
  readonly atEnd: number | null;
}

export function AllowanceBar({ label, used, limit, atEnd }: AllowanceBarProps) {
  const whole = Math.max(1, limit);
  const filled = Math.min(100, (100 * used) / whole);
  const projected = atEnd === null ? 0 : Math.min(100, (100 * atEnd) / whole) - filled;
  const says =
    `${label}: ${formatCount(used)} of ${formatCount(limit)}, ${formatShare(used, limit)}` +
    (atEnd === null ? "" : `; projected: ${formatCount(atEnd)}`);
  return (
    <div className="bar allowance" role="img" aria-label={says} title={says}>
      <i className={toneOfUse(used, limit)} style={{ width: `${filled}%` }} />
      {projected > 0 && (
        <i
          className={`${toneOfUse(atEnd ?? 0, limit)} slanted`}
          style={{ width: `${projected}%` }}
        />
      )}
    </div>
  );
}
