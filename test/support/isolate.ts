// Prepares the isolate that test files share, once, before the first file. The isolate can't reach
// the network, and takes its RSA keys from a stock.

/** Number of keys in the stock. Two keys that are taken one after the other always differ. */
const STOCK = 4;

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
