// Tests /v1/webhooks through the worker's fetch handler: changes of a webhook, and rotations of its
// secret (src/resources/webhooks, contract.md §Circuit, contract.md §Signatures).
import { describe, expect, it, vi } from "vitest";
import { coreFor } from "../../../src/db/client.ts";
import { getWebhook } from "../../../src/resources/webhooks/store.ts";
import { activeSecrets } from "../../../src/resources/webhooks/webhook-secret.ts";
import { bindings, busyTeam, fieldsOf, ok } from "../../support/api.ts";
import { settingsOf } from "../../../src/settings.ts";
import {
  CHANGE,
  create,
  list,
  patch,
  post,
  put,
  rotate,
  shown,
  type WebhookWithSecret,
  WISH,
} from "../../support/test-webhooks.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

const DAY_MS = 86_400_000;

describe("changing a webhook", () => {
  it("replaces name, URL, events and status, and leaves the secret and the rest as they are", async () => {
    const { signing_secret: secret, ...before } = await create(team);
    const change = {
      name: "New",
      url: "https://other.example.com/x",
      events: ["email.opened"],
      status: "disabled",
    };
    const body = { ...change, id: "wh_x", signing_secret: "whsec_x", signing_secret_prefix: "x" };
    expect(await ok(patch(team, before.id, body))).toEqual({ ...before, ...change });
    expect(await shown(team, before.id)).toEqual({ ...before, ...change });
    const stored = await getWebhook(coreFor(bindings, team.id), before.id);
    expect(await activeSecrets(settingsOf(bindings).keyEncryptionKey, stored, 0)).toEqual([secret]);
  });

  it("changes the format only if the PATCH names a format", async () => {
    const { signing_secret: _, ...made } = await create(team, { ...WISH, format: "resend" });
    expect(made).toMatchObject({ format: "resend" });
    for (const [change, format] of [
      [CHANGE, "resend"],
      [{ ...CHANGE, format: "batch" }, "batch"],
      [CHANGE, "batch"],
      [{ ...CHANGE, format: "resend" }, "resend"],
    ] as const) {
      const changed = await patch(team, made.id, change);
      expect(await changed.json()).toEqual({ ...made, format });
      expect(await shown(team, made.id)).toEqual({ ...made, format });
    }
  });

  it("demands every member, and refuses an unknown format", async () => {
    const { id } = await create(team);
    for (const member of ["name", "url", "events", "status"]) {
      const { [member]: _left, ...rest } = CHANGE as Record<string, unknown>;
      expect(await fieldsOf(patch(team, id, rest))).toEqual([member]);
    }
    for (const format of ["", "Resend", "svix", 1, ["batch"]]) {
      const body = { ...CHANGE, format };
      const refused = [await patch(team, id, body), await post(team, { ...WISH, format })];
      for (const one of refused)
        expect([format, await fieldsOf(one)]).toEqual([format, ["format"]]);
    }
    expect(await list(team)).toMatchObject({ data: [{ id, format: "batch" }] });
  });

  it("can set every status to active and disabled, and to no other status", async () => {
    const { id } = await create(team);
    for (const from of ["active", "disabled", "circuit_disabled"]) {
      for (const to of ["active", "disabled"]) {
        await put(id, "status", from);
        expect(await shown(team, id)).toMatchObject({ status: from });
        expect(await ok(patch(team, id, { ...CHANGE, status: to }))).toMatchObject({ status: to });
        expect(await shown(team, id)).toMatchObject({ status: to });
      }
      await put(id, "status", from);
      for (const status of ["circuit_disabled", "paused", "", null, true, "Active"])
        expect(await fieldsOf(patch(team, id, { ...CHANGE, status }))).toEqual(["status"]);
      expect(await shown(team, id)).toMatchObject({ status: from });
    }
  });
});

describe("rotating a webhook's secret", () => {
  it("answers a new secret and keeps the previous one for 24 hours, through changes too", async () => {
    const made = await create(team);
    const before = Date.now();
    const rotated = await ok<WebhookWithSecret>(rotate(team, made.id));
    const { signing_secret: secret, ...rest } = rotated;
    const { signing_secret: previous, ...unchanged } = made;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(previous);
    expect(rest).toEqual({
      ...unchanged,
      signing_secret_prefix: secret.slice(0, 12),
      signing_secret_previous_prefix: previous.slice(0, 12),
      signing_secret_grace_expires_at: expect.any(String),
    });
    const expires = Date.parse(rest.signing_secret_grace_expires_at ?? "");
    expect(expires).toBeGreaterThanOrEqual(before + DAY_MS);
    expect(expires).toBeLessThanOrEqual(Date.now() + DAY_MS);
    expect(await shown(team, made.id)).toEqual(rest);
    expect((await list(team)).data).toEqual([rest]);
    const body = { ...CHANGE, name: "New" };
    expect(await ok(patch(team, made.id, body))).toEqual({ ...rest, name: "New" });
    const stored = await getWebhook(coreFor(bindings, team.id), made.id);
    const key = settingsOf(bindings).keyEncryptionKey;
    expect(await activeSecrets(key, stored, expires - 1)).toEqual([secret, previous]);
    expect(await activeSecrets(key, stored, expires)).toEqual([secret]);
  });

  it("is refused for 24 hours after the last rotation, and they end by the clock alone", async () => {
    const { id } = await create(team);
    const first = await ok<WebhookWithSecret>(rotate(team, id));
    const end = Date.parse(first.signing_secret_grace_expires_at ?? "");
    const clock = vi.spyOn(Date, "now");
    clock.mockReturnValue(end - 1);
    const { signing_secret: _, ...state } = first;
    expect(await ok(rotate(team, id), 409)).toEqual({
      error: { type: "webhook_rotation_in_progress", message: expect.any(String) },
    });
    expect(await shown(team, id)).toEqual(state);
    clock.mockReturnValue(end);
    expect(await shown(team, id)).toMatchObject({
      signing_secret_prefix: first.signing_secret_prefix,
      signing_secret_previous_prefix: null,
      signing_secret_grace_expires_at: null,
    });
    expect((await list(team)).data[0]).toMatchObject({
      signing_secret_previous_prefix: null,
      signing_secret_grace_expires_at: null,
    });
    expect(await ok(patch(team, id, CHANGE))).toMatchObject({
      signing_secret_previous_prefix: null,
      signing_secret_grace_expires_at: null,
    });
    const second = await ok<WebhookWithSecret>(rotate(team, id));
    expect(second).toMatchObject({
      signing_secret_previous_prefix: first.signing_secret_prefix,
      signing_secret_grace_expires_at: new Date(end + DAY_MS).toISOString(),
    });
    expect((await rotate(team, id)).status).toBe(409);
  });

  it("succeeds once when many requests come at once, at first and after the 24 hours", async () => {
    const { id, signing_secret_prefix: original } = await create(team);
    let previous = original;
    for (let round = 0; round < 2; round += 1) {
      const responses = await Promise.all(Array.from({ length: 10 }, () => rotate(team, id)));
      const winners = responses.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 409)).toHaveLength(9);
      const won = await winners[0]?.json<WebhookWithSecret>();
      const { signing_secret: _secret, ...rest } = won as WebhookWithSecret;
      expect(await shown(team, id)).toEqual(rest);
      expect(rest.signing_secret_previous_prefix).toBe(previous);
      previous = rest.signing_secret_prefix;
      await put(id, "grace_expires_at", Date.now() - 1);
    }
  });

  it.each(["circuit_disabled", "disabled"])("works on a webhook that is %s", async (status) => {
    const { id } = await create(team);
    await put(id, "status", status);
    const expected = { status, signing_secret: expect.any(String) };
    expect(await ok(rotate(team, id))).toMatchObject(expected);
  });
});
