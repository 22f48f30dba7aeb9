// The panel with the problems of the edited content, from the worst to the least. Each problem
// leads to its line in the editor.
import { TextButton } from "../../../parts/button.tsx";
import { ErrorNotice } from "../../../parts/error-notice.tsx";
import { Loading } from "../../../parts/loading.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { Permitted } from "../../../parts/permitted.tsx";
import { ProblemText } from "./problem-text.tsx";
import { severityCounts } from "./problem-counts.ts";
import {
  type CheckProblemView,
  type OffRule,
  type useCheck,
  useRulesOff,
  useSwitchRule,
} from "./use-check.ts";

interface CheckPanelProps {
  readonly check: ReturnType<typeof useCheck>;
  /** Moves the editor to the position of the problem. */
  readonly onPlace: (problem: CheckProblemView) => void;
}

/** Rules that can't be switched off, because the service itself checks them. */
const ALWAYS = new Set<string>(["refused", "domain-records"]);

export function CheckPanel({
  check: { data, error, isPlaceholderData },
  onPlace,
}: CheckPanelProps) {
  const off = useRulesOff();
  const switchRule = useSwitchRule();
  const note = data ? severityCounts(data.problems) : "";
  return (
    <Panel
      title="Check"
      note={<span aria-live="polite">{isPlaceholderData ? "Checking…" : note}</span>}
    >
      {error && <ErrorNotice error={error} />}
      {switchRule.error && <ErrorNotice error={switchRule.error} />}
      {!data && !error && <Loading />}
      {data?.problems.length === 0 && <p className="empty">The rules find nothing wrong.</p>}
      {data && data.problems.length > 0 && (
        <ul className="checked">
          {data.problems.map((problem) => (
            <li key={keyOf(problem)}>
              <Problem
                problem={problem}
                onPlace={onPlace}
                onOff={(rule) => switchRule.mutate({ rule, isOff: true })}
              />
            </li>
          ))}
        </ul>
      )}
      {off.length > 0 && (
        <p className="inset muted">
          Switched off for the team:{" "}
          {off.map((rule) => (
            <Permitted key={rule} operation="PATCH /v1/team" act={`switch on ${rule}`}>
              <TextButton onClick={() => switchRule.mutate({ rule, isOff: false })}>
                Switch on {rule}
              </TextButton>
            </Permitted>
          ))}
        </p>
      )}
    </Panel>
  );
}

interface ProblemProps {
  readonly problem: CheckProblemView;
  readonly onPlace: (problem: CheckProblemView) => void;
  readonly onOff: (rule: OffRule) => void;
}

function Problem({ problem, onPlace, onOff }: ProblemProps) {
  const { rule, severity, where, message, help } = problem;
  return (
    <>
      <strong className={severity}>{severity}</strong> <ProblemText text={message} />
      <small>
        <ProblemText text={help} />
      </small>
      {where.line !== null && where.field !== "subject" && (
        <TextButton onClick={() => onPlace(problem)}>Go to line {where.line}</TextButton>
      )}
      {ALWAYS.has(rule) ? null : (
        <Permitted operation="PATCH /v1/team">
          <TextButton onClick={() => onOff(rule as OffRule)}>Switch off {rule}</TextButton>
        </Permitted>
      )}
    </>
  );
}

function keyOf({ rule, where, message }: CheckProblemView): string {
  return `${rule} ${where.field} ${where.line} ${where.column} ${message}`;
}
