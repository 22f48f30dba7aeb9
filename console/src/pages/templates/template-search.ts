// The kind of preview on a template's page. The URL stores it.

export const PREVIEW_VIEWS = ["desktop", "phone", "dark", "text", "all"] as const;
export type PreviewView = (typeof PREVIEW_VIEWS)[number];

export function previewSearch({ view }: Record<string, unknown>): { view?: PreviewView } {
  const found = PREVIEW_VIEWS.find((one) => one === view);
  return found === undefined ? {} : { view: found };
}
