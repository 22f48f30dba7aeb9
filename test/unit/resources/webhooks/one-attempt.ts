// Makes one attempt at a webhook delivery, for the tests of its request and its target.
import { type PostAttempt, postSigned } from "../../../../src/resources/webhooks/post.ts";
import { settingsOf } from "../../../../src/settings.ts";
import { bindings } from "../../../support/api.ts";

export const URL_TEXT = "https://hooks.example.com/postern?team=1";
const STRICT = settingsOf(bindings);

export const attempt = (
  url = URL_TEXT,
  settings = STRICT,
  caches?: Parameters<typeof postSigned>[2],
): Promise<PostAttempt> => {
  const bodyAt = (timestamp: number) => JSON.stringify({ timestamp });
  const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
  return postSigned(settings, { url, batchId: "wbt_1", secrets, bodyAt }, caches);
};
