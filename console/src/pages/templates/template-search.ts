// The part of a template's page that the address keeps: how the preview shows the mail.

export const PREVIEW_VIEWS = ["desktop", "phone", "dark", "text", "all"] as const;
export type PreviewView = (typeof PREVIEW_VIEWS)[number];

export function previewSearch({ view }: Record<string, unknown>): { view?: PreviewView } {
  const found = PREVIEW_VIEWS.find((one) => one === view);
  return found === undefined ? {} : { view: found };
}
