// Tests the member `react` of a send, from which @react-email/render makes the HTML and the text.
import { createElement } from "react";
import { describe, expect, it, vi } from "vitest";
import { FakeApi } from "./fake-api.ts";

const ADDRESSED = { from: "a@example.com", to: ["b@example.net"], subject: "Hi" };
const ELEMENT = createElement("p", null, "Dear ", createElement("b", null, "Ada"));
const ACCEPTED = { status: 202, body: { id: "email_1" } };

async function sentBy(send: (api: FakeApi) => Promise<unknown>): Promise<unknown> {
  const api = new FakeApi([ACCEPTED]);
  await send(api);
  return JSON.parse(api.asked[0]?.body ?? "");
}

describe("a message with a React element", () => {
  it("is sent with the HTML and the text of the element", async () => {
    const body = await sentBy(({ client }) => client.emails.send({ ...ADDRESSED, react: ELEMENT }));
    expect(body).toEqual({
      ...ADDRESSED,
      html: expect.stringContaining("<b>Ada</b>") as string,
      text: expect.stringMatching(/Dear Ada/) as string,
    });
  });

  it("keeps its own text, in a batch too", async () => {
    const body = await sentBy(({ client }) =>
      client.emails.sendBatch({
        emails: [
          { ...ADDRESSED, text: "Mine.", react: ELEMENT },
          { ...ADDRESSED, text: "Plain." },
        ],
      }),
    );
    expect(body).toMatchObject({
      emails: [
        { text: "Mine.", html: expect.stringContaining("Ada") as string },
        { text: "Plain." },
      ],
    });
  });

  it("says what to install if @react-email/render is missing", async () => {
    vi.doMock("@react-email/render", () => {
      throw new Error("Cannot find package");
    });
    const api = new FakeApi([ACCEPTED]);
    await expect(api.client.emails.send({ ...ADDRESSED, react: ELEMENT })).rejects.toThrow(
      /npm install it beside React/,
    );
    expect(api.asked).toEqual([]);
    vi.doUnmock("@react-email/render");
  });
});
