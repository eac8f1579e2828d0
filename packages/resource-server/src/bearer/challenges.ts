import type { Challenge } from '../errors.ts';
import type { Asked } from '../possession/asked.ts';
import { type ProtectedResource, resourceAt } from '../resource/protected-resource.ts';
import type { TokenVerifier } from '../verifier/token-verifier.ts';
import { joined, requiredBefore } from './remembered.ts';

type Challenges = Readonly<Record<'Bearer' | 'DPoP' | 'any', Challenge>>;

/** The challenge in the answer to a request, by the scheme of its token; `any` is for a request without one. */
export type ChallengeOf = (kind: keyof Challenges) => Challenge;

interface Challenging {
  readonly resources: readonly ProtectedResource[];
  readonly possession: TokenVerifier['possession'] | undefined;
}

/** @param own what the rules of a guard say */
export function challenger(
  own: Challenge,
  { resources, possession }: Challenging,
): (asked: Asked | undefined) => ChallengeOf {
  let algorithms = possession?.algorithms;
  const build = () =>
    new Map(
      [undefined, ...resources].map((resource) => [
        resource,
        challengesOf({ ...own, resourceMetadata: resource?.metadataUrl }, possession),
      ]),
    );
  let challenges = build();
  return (asked) => {
    // The server says which they are with the first token.
    if (possession?.algorithms !== algorithms) {
      algorithms = possession?.algorithms;
      challenges = build();
    }
    const resource = resources.length > 1 && asked ? resourceAt(resources, asked.url()) : resources[0];
    const known = challenges.get(resource) as Challenges;
    const before = asked?.tokenInfo && requiredBefore(asked.tokenInfo);
    return (kind) => (before === undefined ? known[kind] : joined(before, known[kind]));
  };
}

function challengesOf(challenge: Challenge, possession: Challenging['possession']): Challenges {
  const { algorithms, isOffered = false } = possession ?? {};
  return {
    Bearer: challenge,
    DPoP: algorithms === undefined ? challenge : { ...challenge, scheme: 'DPoP', algorithms },
    any: isOffered ? { ...challenge, algorithms } : challenge,
  };
}
