// Orders the test files: those that wait most begin first, so that no processor stands idle at the end, and the files that share a workerd come in a row,
// since Vitest hands a workerd on only to the file that is next.
import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** By the beginning of a file's path; the rest comes last. */
const ROOMS = ["test/e2e/", "test/setup/", "test/node/", "test/gateway/", "test/dev/", "test/tidy", "test/pipeline/", "test/api/"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`;
    const roomOf = ({ moduleId }: TestSpecification): number => {
      const room = ROOMS.findIndex((beginning) => moduleId.startsWith(root + beginning));
      return room === -1 ? ROOMS.length : room;
    };
    const sizeOf = ({ moduleId }: TestSpecification): number => statSync(moduleId).size;
    return files.toSorted((left, right) => roomOf(left) - roomOf(right) || sizeOf(right) - sizeOf(left));
  }
}
