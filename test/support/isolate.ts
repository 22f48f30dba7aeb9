// Prepares the isolate that test files share, once, before the first file. The isolate can't reach
// the network, takes its RSA keys from a stock, and imports the worker's module once.

/** Number of keys in the stock. Two keys that are taken one after the other always differ. */
const STOCK = 2;

/** Refuses hosts without a fake, as the network would, but without a line in workerd's log. */
globalThis.fetch = (input) =>
  Promise.reject(new Error(`connection refused: ${new Request(input).url}`));

const generate = crypto.subtle.generateKey.bind(crypto.subtle) as (
  ...args: unknown[]
) => Promise<CryptoKey | CryptoKeyPair>;
const stock = new Map<string, Promise<CryptoKey | CryptoKeyPair>[]>();
let asked = 0;

// Making a key pair takes a tenth of a second of processor time, and tests may share key pairs.
Object.assign(crypto.subtle, {
  generateKey(algorithm: SubtleCryptoGenerateKeyAlgorithm, extractable: boolean, usages: string[]) {
    if (!algorithm.name.startsWith("RSA")) return generate(algorithm, extractable, usages);
    const kind = JSON.stringify([algorithm, extractable, usages]);
    const pairs = stock.get(kind) ?? [];
    stock.set(kind, pairs);
    asked += 1;
    return (pairs[asked % STOCK] ??= generate(algorithm, extractable, usages));
  },
});

interface ModuleRunner {
  import(specifier: string): Promise<object>;
  isKept?: true;
}

const MAIN = /\/src\/worker\.ts$/;

let worker: object | undefined;

/**
 * Makes Vitest's module runner import the worker's module only once. Without this, the runner
 * imports the module again before each call of the worker, an object or an alarm, and asks Vitest's
 * process twice where the module is. No test changes the module.
 */
export function keepWorkerModule(): void {
  const { moduleRunner } = (
    globalThis as unknown as { readonly __vitest_mocker__: { readonly moduleRunner: ModuleRunner } }
  ).__vitest_mocker__;
  if (moduleRunner.isKept) return;
  const imported = moduleRunner.import.bind(moduleRunner);
  moduleRunner.import = async (specifier) => {
    if (!MAIN.test(specifier)) return imported(specifier);
    // The module itself is kept, because a promise belongs to the request that made it.
    worker ??= await imported(specifier);
    return worker;
  };
  moduleRunner.isKept = true;
}
