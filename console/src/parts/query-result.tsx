// Shows the data of a query, a placeholder while it loads, or the error. Counts and figures must be
// in the child function too, because only this function gets the data.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiFailure, NoResponse } from "../api/failure.ts";
import { ErrorNotice } from "./error-notice.tsx";
import { Loading } from "./loading.tsx";

interface QueryResultProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  readonly children: (data: Data) => ReactNode;
  /** A placeholder of the same size as the data. */
  readonly skeleton?: ReactNode;
}

export function QueryResult<Data>({ query, children, skeleton }: QueryResultProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  // The frame around the page already shows that no answer comes, and the time of the next retry.
  if (error === null || error instanceof NoResponse) return skeleton ?? <Loading />;
  return <ErrorNotice error={error} retry={() => void refetch()} />;
}

/**
 * Returns why the person may not read this. Null: the person may read it, or the answer is not
 * known yet.
 */
export function refusalOf({ data, error }: Pick<UseQueryResult, "data" | "error">): string | null {
  const isRefused = data === undefined && error instanceof ApiFailure && error.status === 403;
  return isRefused ? error.message : null;
}

/** Tells whether the service does not know the id, and no earlier answer had the data. */
export function isMissing({ data, error }: Pick<UseQueryResult, "data" | "error">): boolean {
  return data === undefined && error instanceof ApiFailure && error.status === 404;
}
