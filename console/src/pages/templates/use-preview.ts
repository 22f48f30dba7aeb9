// Renders the typed content after a short pause in typing. If a part of the mail can't be rendered,
// the preview keeps the part as it was rendered before.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type {
  Template,
  TemplatePreview,
} from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { useAfterPause } from "../../parts/time/after-pause.ts";
import { bodyOf, type TemplateKind } from "./template-calls.ts";
import type { TemplateContent } from "./edited-content.ts";
import type { VariableValues } from "./variables-json.ts";

const QUIET_MS = 300;
const KEPT_MS = 30_000;

/** The parts of a mail that the preview shows. Null: the part is empty, or was never rendered. */
export type ShownParts = Pick<TemplatePreview, "subject" | "html" | "text">;

const NOTHING: ShownParts = { subject: null, html: null, text: null };

export function usePreview(
  kind: TemplateKind,
  content: TemplateContent,
  variables: VariableValues,
  fallbacks: Template["fallbacks"] = null,
) {
  const typed = useMemo(
    () => ({ kind, ...bodyOf(kind, content), variables, fallbacks }),
    [kind, content, variables, fallbacks],
  );
  const body = useAfterPause(typed, QUIET_MS);
  const query = useQuery({
    queryKey: ["template preview", body],
    queryFn: ({ signal }) => api.templates.preview(body, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  const isCurrent = body === typed && !query.isPlaceholderData && query.isSuccess;
  return { ...query, body, shown: useLastGood(query.data), isCurrent };
}

/** Returns the parts to show. A part that can't be rendered stays as it was rendered before. */
function useLastGood(preview: TemplatePreview | undefined): ShownParts {
  const [seen, setSeen] = useState<TemplatePreview>();
  const [shown, setShown] = useState(NOTHING);
  if (preview !== undefined && preview !== seen) {
    setSeen(preview);
    const isFine = preview.problems.length === 0;
    setShown({
      subject: isFine ? preview.subject : (preview.subject ?? shown.subject),
      html: isFine ? preview.html : (preview.html ?? shown.html),
      text: isFine ? preview.text : (preview.text ?? shown.text),
    });
  }
  return shown;
}
