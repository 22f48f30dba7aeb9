// Judges the text of GET /admin/metrics. It reports the facts on which an operator should act:
// stuck queues, recipients without an outcome, and dead letters. Pure.
import { fail, type Finding, ok, warn } from "./finding.ts";

const OLD_SECONDS = 300;
const SAMPLE = /^(postern_[a-z_]+)(?:\{([^}]*)\})? ([0-9.eE+-]+)$/;

interface Sample {
  readonly name: string;
  /** The labels of a metric's value, such as `queue="postern-deliver"`. */
  readonly labels: string;
  readonly value: number;
}

/** `text` is in Prometheus's text format. */
export function judgeMetrics(text: string): Finding[] {
  const samples = text.split("\n").flatMap(parse);
  const of = (name: string): readonly Sample[] =>
    samples.filter((sample) => sample.name === name && sample.value > 0);
  const down = samples.filter(({ name, value }) => name === "postern_source_up" && value === 0);
  const old = of("postern_queue_oldest_seconds").filter(({ value }) => value > OLD_SECONDS);
  const [stuck] = of("postern_stuck_recipients");
  const dead = of("postern_dead_letters");
  return [
    ...down.map(({ labels }) =>
      fail(
        "queues.source",
        `${label(labels)} does not answer the worker`,
        "npx wrangler tail shows why; then docs/troubleshooting.md, " +
          (isQueue(labels) ? "The worker cannot reach a queue" : "Sends are 500 or 502"),
      ),
    ),
    old.length === 0
      ? ok("queues.moving", "no job has waited for long")
      : fail(
          "queues.moving",
          old
            .map(
              ({ labels, value }) =>
                `${label(labels)}: the oldest job has waited for ${Math.round(value)} s`,
            )
            .join(", "),
          "npm run deploy connects a missing consumer (npx wrangler queues info <queue>), and npx " +
            "wrangler queues resume-delivery <queue> ends a pause",
        ),
    stuck === undefined
      ? ok("queues.stuck", "no recipient is without an outcome")
      : fail(
          "queues.stuck",
          `${stuck.value} recipients have had no outcome for 15 minutes or more`,
          "docs/operating.md, Stuck: look for egress_unreachable or egress_refused in the log",
        ),
    dead.length === 0
      ? ok("queues.dead_letters", "none")
      : warn(
          "queues.dead_letters",
          dead.map(({ labels, value }) => `${label(labels)}: ${value}`).join(", "),
          "GET /admin/dead-letters says why each job failed; then requeue or delete it " +
            "(docs/operating.md, Dead letters)",
        ),
  ];
}

function parse(line: string): Sample[] {
  const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
  return name === undefined ? [] : [{ name, labels, value: Number(value) }];
}

function isQueue(labels: string): boolean {
  return label(labels).startsWith("postern-");
}

function label(labels: string): string {
  return /"([^"]*)"/.exec(labels)?.[1] ?? labels;
}
