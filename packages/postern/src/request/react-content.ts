// Accepts a React element as a message's content. `react` becomes `html`, and also `text` if the
// message has no `text`.

import type { ReactElement } from "./send-body.ts";

interface Message {
  readonly react?: unknown;
  readonly text?: unknown;
}

type Render = (element: ReactElement, options?: { plainText?: boolean }) => Promise<string>;

/**
 * Renders the React elements in the body of a send. Throws if `@react-email/render` is not
 * installed.
 */
export async function renderReact(body: object): Promise<object> {
  if ("emails" in body && Array.isArray(body.emails))
    return { ...body, emails: await Promise.all(body.emails.map(renderMessage)) };
  return renderMessage(body);
}

async function renderMessage(message: Message): Promise<object> {
  if (message?.react === undefined) return message;
  const { react, ...rest } = message;
  const element = react as ReactElement;
  const render = await loadRender();
  const html = await render(element);
  return { ...rest, html, text: rest.text ?? (await render(element, { plainText: true })) };
}

async function loadRender(): Promise<Render> {
  try {
    return ((await import("@react-email/render")) as { render: Render }).render;
  } catch (cause) {
    throw new Error("`react` needs the package @react-email/render: npm install it beside React", {
      cause,
    });
  }
}
