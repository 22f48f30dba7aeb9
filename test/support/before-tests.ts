// Objects that a hook makes before the tests that use them.
import { beforeAll, beforeEach } from "vitest";

type Make<Made> = () => Made | Promise<Made>;

/** Stands for the object that `make` returns anew before each test. */
export const ofEachTest = <Made extends object>(make: Make<Made>): Made =>
  standIn(make, beforeEach);

/** Stands for the object that `make` returns before the first test of the file. */
export const ofFile = <Made extends object>(make: Make<Made>): Made => standIn(make, beforeAll);

function standIn<Made extends object>(make: Make<Made>, before: typeof beforeEach): Made {
  let made: Made;
  before(async () => {
    made = await make();
  });
  return new Proxy({} as Made, {
    get: (_, name) => {
      const value: unknown = Reflect.get(made, name);
      return typeof value === "function" ? (value.bind(made) as unknown) : value;
    },
    set: (_, name, value) => Reflect.set(made, name, value),
  });
}
