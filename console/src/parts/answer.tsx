// Shows a query's answer, or that it is on its way, or why it failed.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorNote } from "./error-note.tsx";
import { Loading } from "./loading.tsx";

interface AnswerProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  readonly children: (data: Data) => ReactNode;
}

export function Answer<Data>({ query, children }: AnswerProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  return error ? <ErrorNote error={error} retry={() => void refetch()} /> : <Loading />;
}
