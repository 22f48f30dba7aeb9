// Renders the block helpers and sections with bodies that are already compiled. Truth, emptiness
// and scope follow Handlebars' rules. Pure.
import type { Rendering } from "./rendering.ts";
import { type Evaluate, type ScopeFrame, type Render, enter, sameContext } from "./scope.ts";

export interface Branches {
  readonly main: Render;
  readonly otherwise: Render;
  /** True: the main body declares block parameters. */
  readonly hasParams: boolean;
}

/** Renders `if`, or `unless` if the caller swaps the branches. */
export function renderIf(
  condition: Evaluate,
  includesZero: Evaluate | undefined,
  { main, otherwise }: Branches,
): Render {
  return (frame, run) => {
    const value = condition(frame, run);
    const isTaken = (value || includesZero?.(frame, run)) && !isEmpty(value);
    (isTaken ? main : otherwise)(sameContext(frame), run);
  };
}

export function renderWith(context: Evaluate, { main, otherwise, hasParams }: Branches): Render {
  return (frame, run) => {
    const value = context(frame, run);
    if (isEmpty(value)) otherwise(sameContext(frame), run);
    else main(enter(frame, value, hasParams ? [value] : null, frame.data, run), run);
  };
}

export function renderEach(list: Evaluate, branches: Branches): Render {
  return (frame, run) => {
    const value = list(frame, run);
    if (!loop(value, frame, run, branches)) branches.otherwise(sameContext(frame), run);
  };
}

/**
 * Renders `{{#name}}`, and `{{^name}}` with swapped branches. An array is a loop; true, false and
 * null are a condition; any other value becomes the context.
 */
export function renderSection(subject: Evaluate, branches: Branches): Render {
  const { main, otherwise, hasParams } = branches;
  return (frame, run) => {
    const value = subject(frame, run);
    if (value === true) main(frame, run);
    else if (value === false || value === null || value === undefined) otherwise(frame, run);
    else if (!Array.isArray(value))
      main(enter(frame, value, hasParams ? [] : null, frame.data, run), run);
    else if (!loop(value, frame, run, branches)) otherwise(frame, run);
  };
}

/** Renders the body once per element or member. Returns false if the list or object is empty. */
function loop(
  list: unknown,
  frame: ScopeFrame,
  run: Rendering,
  { main, hasParams }: Branches,
): boolean {
  if (typeof list !== "object" || list === null) return false;
  const keys = Array.isArray(list) ? null : Object.keys(list);
  const count = keys ? keys.length : (list as readonly unknown[]).length;
  run.spend(count);
  const members = list as Readonly<Record<string | number, unknown>>;
  const data: Record<string, unknown> = {
    ...frame.data,
    _parent: frame.data,
    key: 0,
    index: 0,
    first: true,
    last: false,
  };
  for (let index = 0; index < count; index += 1) {
    const key = keys?.[index] ?? index;
    data.key = key;
    data.index = index;
    data.first = index === 0;
    data.last = index === count - 1;
    const value = members[key];
    main(enter(frame, value, hasParams ? [value, key] : null, data, run), run);
  }
  return count > 0;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : !value && value !== 0;
}
