// Tests how long mail was held, when holds of its domain and of the account come and go
// (src/ledger/open/hold-periods.ts).
import { fc } from "../../../support/properties.ts";
import { expect, it } from "vitest";
import { ACCOUNT, Holds } from "../../../../src/ledger/open/hold-periods.ts";

const DOMAIN = "shop.example";
const LIMIT = 20;

/** A database that forgets everything, because the test never restarts the ledger. */
const sql = { exec: () => ({ toArray: () => [] }) } as unknown as SqlStorage;

/** Changes of holds. Each begins or ends the hold `name`, some time `after` the previous change. */
const TOGGLES = fc.array(
  fc.record({ after: fc.integer({ min: 1, max: 9 }), name: fc.constantFrom(DOMAIN, ACCOUNT) }),
  { maxLength: 12 },
);

it("the time under several holds counts once, and mail expires when it was held for the limit", () => {
  fc.assert(
    fc.property(TOGGLES, fc.nat(20), (toggles, rest) => {
      const holds = new Holds(sql, { probeMs: 1, holdMs: LIMIT });
      const names = new Set<string>();
      const wasHeld: boolean[] = [];
      for (const { after, name } of toggles) {
        for (let passed = 0; passed < after; passed += 1) wasHeld.push(names.size > 0);
        const refusal = { scope: "domain", code: "not_onboarded", message: "" } as const;
        const at = wasHeld.length;
        if (names.delete(name)) holds.end(name, at);
        else {
          names.add(name);
          const copy = { name, domain: DOMAIN, copy: "" };
          expect(holds.begin({ ...refusal, refusedAt: at }, copy, at)).toBe(true);
        }
      }
      for (let passed = 0; passed < rest; passed += 1) wasHeld.push(names.size > 0);
      const now = wasHeld.length;
      const held = (from: number): number => wasHeld.slice(from).filter(Boolean).length;
      const starts = [...Array(now + 1).keys()];
      expect(starts.map((from) => holds.heldFor(DOMAIN, from, now))).toEqual(starts.map(held));
      const expired = starts.findLast((from) => held(from) >= LIMIT) ?? Number.NEGATIVE_INFINITY;
      expect(holds.expiredStart(DOMAIN, now)).toBe(expired);
    }),
  );
});
