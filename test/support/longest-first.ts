// Orders the test files. The files that wait longest come first, so that they end while others
// compute. The worker's files follow each other, because Vitest passes a workerd only to the next
// file. The files that share a Node process follow each other for the same reason. Within each
// group, the largest file comes first.
import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The order of the test files by the beginnings of their paths. A path that fits no beginning comes
 * last.
 */
const ORDER = [
  "test/e2e/email-service-scenarios",
  "test/e2e/scenarios",
  "test/pipeline/expiry",
  "test/unit/resources/webhooks/webhook-replay",
  "test/pipeline/",
  "test/api/",
  "test/unit/",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`;
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = ORDER.findIndex((beginning) => moduleId.startsWith(root + beginning));
      return place === -1 ? ORDER.length : place;
    };
    const sizeOf = ({ moduleId }: TestSpecification): number => statSync(moduleId).size;
    return files.toSorted(
      (left, right) => placeOf(left) - placeOf(right) || sizeOf(right) - sizeOf(left),
    );
  }
}
