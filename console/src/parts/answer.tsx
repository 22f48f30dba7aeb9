// Shows a query's answer, or that it is on its way, or why it failed. Counts and figures are
// written from an answer alone, so they stand in its children.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiFailure, Unanswered } from "../api/failure.ts";
import { ErrorNote } from "./error-note.tsx";
import { Loading } from "./loading.tsx";

interface AnswerProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  readonly children: (data: Data) => ReactNode;
  /** Stands for the answer until it comes, in the answer's size. */
  readonly skeleton?: ReactNode;
}

export function Answer<Data>({ query, children, skeleton }: AnswerProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  // The frame says that no answer comes, and when the same is asked again.
  if (error === null || error instanceof Unanswered) return skeleton ?? <Loading />;
  return <ErrorNote error={error} retry={() => void refetch()} />;
}

/** Tells whether the service knows nothing of the id. A thing that was read before stays. */
export function isMissing({ data, error }: Pick<UseQueryResult, "data" | "error">): boolean {
  return data === undefined && error instanceof ApiFailure && error.status === 404;
}
