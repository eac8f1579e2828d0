import {
  httpsUriProblems,
  type JsonObject,
  readKeySet,
  shown,
  signatureKeys,
  signingAlgorithms,
} from '@watchword/protocol';
import type { NoteTaker } from './translation.ts';

/** How a client signs its assertions at the old server. */
export interface ForeignKeys {
  /** Ignored beside a URL. */
  readonly jwks: unknown;
  /** Empty if there is none. */
  readonly jwksUri: string;
  /** Empty: each that fits its keys. */
  readonly algorithm: string;
}

/** The fields of a client that authenticates by private_key_jwt; `undefined` if it has no keys that can be used here. */
export function keyFieldsOf(keys: ForeignKeys, note: NoteTaker): JsonObject | undefined {
  const found = locationOf(keys);
  if ('problem' in found) {
    note.leftOut.push(found.problem);
    return undefined;
  }
  const { algorithm } = keys;
  const isKnown = isSigningAlgorithm(algorithm);
  if (algorithm !== '' && !isKnown) {
    note.leftOut.push(`the algorithm ${shown(algorithm, 40)} of its assertions`);
    note.mustDo.push(`let it sign them by ${signingAlgorithms.join(', ')}, as its keys permit`);
  }
  note.mustDo.push('let its assertions have this server as aud, if its library does not read the metadata');
  return {
    tokenEndpointAuthMethod: 'private_key_jwt',
    ...found.fields,
    ...(isKnown && { tokenEndpointAuthSigningAlg: algorithm }),
  };
}

type Located = { readonly problem: string } | { readonly fields: JsonObject };

function locationOf({ jwks, jwksUri, algorithm }: ForeignKeys): Located {
  if (jwksUri !== '') {
    const [problem] = httpsUriProblems(jwksUri);
    return problem === undefined
      ? { fields: { jwksUri } }
      : { problem: `the URL of its keys: it ${problem}` };
  }
  if (jwks === undefined) return { problem: 'its keys, which the file does not have' };
  const keys = readKeySet(jwks);
  if ('problem' in keys) return { problem: `its keys: the set ${keys.problem}` };
  const usable = isSigningAlgorithm(algorithm) ? [algorithm] : signingAlgorithms;
  return usable.some((each) => signatureKeys(keys, each, undefined).length > 0)
    ? { fields: { jwks: keys } }
    : { problem: `its keys: none makes a signature by ${usable.join(' or ')}` };
}

function isSigningAlgorithm(text: string): boolean {
  return (signingAlgorithms as readonly string[]).includes(text);
}
