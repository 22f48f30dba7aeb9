// Hands out RSA key pairs from a small stock, in turns: making one takes a tenth of a second of processor time, and no test depends on a pair that no
// other test has seen. Two pairs that are asked for one after the other always differ.

const STOCK = 8;

const generate = crypto.subtle.generateKey.bind(crypto.subtle) as (...args: unknown[]) => Promise<CryptoKey | CryptoKeyPair>;
const stock = new Map<string, Promise<CryptoKey | CryptoKeyPair>[]>();
let asked = 0;

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
