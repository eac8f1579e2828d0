// biome-ignore-all lint/correctness/noUnusedFunctionParameters: the methods are to be written
export default function exampleKms({ settings }) {
  return {
    name: 'example',
    // Makes a key pair for 'RS256', 'ES256', 'EdDSA' or 'PS256'; returns a text by which it is found again.
    async create(algorithm, { signal }) {},
    // The public half as a JSON Web Key.
    async publicKey(reference, { signal }) {},
    // The signature of the bytes as JWS has it: for ES256 64 bytes and not ASN.1 (RFC 7518 §3.4).
    async sign(reference, algorithm, data, { signal }) {},
    // Optional: removes a key that does not sign any more.
    async remove(reference, { signal }) {},
  };
}
