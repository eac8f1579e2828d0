import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IdTokenAlgorithm } from '../../load/flow-load.ts';
import { median } from '../../measure/statistics.ts';

const roundMs = 500;

/** As long as the signed part of an ID token. */
const input = Buffer.alloc(600, 'watchword');

/** What signs with an algorithm alone, on one core. */
const signers: Readonly<Record<IdTokenAlgorithm, () => () => unknown>> = {
  EdDSA: () => signer(null, generateKeyPairSync('ed25519').privateKey),
  ES256: () => signer('sha256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
  RS256: () => signer('sha256', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
};

function signer(digest: string | null, key: KeyObject): () => unknown {
  return () => sign(digest, input, { key, dsaEncoding: 'ieee-p1363' });
}

/** Prints what a signature costs without a server, algorithm by algorithm in turn. */
export function measureBareSignatures(algorithms: readonly IdTokenAlgorithm[], rounds: number): void {
  const contestants = algorithms.map((algorithm) => ({
    algorithm,
    signOnce: signers[algorithm](),
    perSecond: [] as number[],
    microseconds: [] as number[],
  }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { signOnce, perSecond, microseconds } of contestants) {
      const measured = measure(signOnce);
      // The first round warms up.
      if (round === 0) continue;
      perSecond.push(measured.perSecond);
      microseconds.push(measured.microseconds);
    }
  }
  console.log('signatures alone, by crypto.sign on one core');
  for (const { algorithm, perSecond, microseconds } of contestants) {
    console.log(
      `${algorithm.padEnd(24)}  ${median(perSecond).toFixed(0).padStart(6)}/s ` +
        `(${Math.min(...perSecond).toFixed(0)} to ${Math.max(...perSecond).toFixed(0)})  ` +
        `${median(microseconds).toFixed(1)} us of processor each`,
    );
  }
  console.log();
}

function measure(signOnce: () => unknown): { readonly perSecond: number; readonly microseconds: number } {
  const started = performance.now();
  const before = process.cpuUsage();
  let count = 0;
  while (performance.now() - started < roundMs) {
    signOnce();
    count += 1;
  }
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: (count * 1000) / (performance.now() - started),
    microseconds: (user + system) / count,
  };
}
