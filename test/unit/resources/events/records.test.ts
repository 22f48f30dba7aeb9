// Tests src/rpc/event-records.ts: the ids of events.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../../src/lib/ids.ts";
import { eventId } from "../../../../src/rpc/event-records.ts";

const at = Date.UTC(2026, 9, 20, 12, 0, 0, 123);

describe("an event's id", () => {
  it("is evt_ and a version 7 UUID without dashes, with the event's time", () => {
    const id = eventId(at, newEmailId(at), "ada@example.org", "email.sent");
    expect(id).toMatch(/^evt_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(Number.parseInt(id.slice(4, 16), 16)).toBe(at);
  });

  it("is the same for the same event", () => {
    expect(eventId(at, "email_a", "ada@example.org", "email.delayed", "2")).toBe(
      eventId(at, "email_a", "ada@example.org", "email.delayed", "2"),
    );
  });

  it("differs if any part differs, or if the same text is divided into other parts", () => {
    const ids = [
      eventId(at, "email_a", "b", "c", "1"),
      eventId(at + 1, "email_a", "b", "c", "1"),
      eventId(at, "email_b", "b", "c", "1"),
      eventId(at, "email_a", "x", "c", "1"),
      eventId(at, "email_a", "b", "x", "1"),
      eventId(at, "email_a", "b", "c", "2"),
      eventId(at, "email_a", "bc", "1"),
      eventId(at, "email_a", "b", "c1"),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
