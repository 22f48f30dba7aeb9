// Prepares the isolate that test files share, once, before the first of them: the isolate reaches
// no network, and RSA keys come from a stock.

/** Key pairs in stock. Two that are asked for one after the other always differ. */
const STOCK = 8;

/**
 * A host that no test has put a fake behind can't be reached. The network would say the same, after
 * workerd has logged it.
 */
globalThis.fetch = (input) =>
  Promise.reject(new Error(`connection refused: ${new Request(input).url}`));

const generate = crypto.subtle.generateKey.bind(crypto.subtle) as (
  ...args: unknown[]
) => Promise<CryptoKey | CryptoKeyPair>;
const stock = new Map<string, Promise<CryptoKey | CryptoKeyPair>[]>();
let asked = 0;

// Making a pair takes a tenth of a second of processor time, and no test needs one that no other
// test has seen.
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
