import { timingSafeEqual } from 'node:crypto';
import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { canBeGuessed, slowHashes, slowHashText } from '../../model/machine-secret.ts';
import type { Passwords } from '../../ports/crypto/passwords.ts';
import type { LoginAttempts } from '../../ports/modules/login-attempts.ts';
import { sha256 } from '../../rules/sha256.ts';
import { isClient, type RegisteredCaller, type SlowSecrets } from './authentication-method.ts';

// Slow hashes; the oldest is forgotten.
const maxRemembered = 10_000;

/** @param attempts limits guesses at callers */
export function slowSecrets(passwords: Passwords, attempts: Omit<LoginAttempts, 'remember'>): SlowSecrets {
  // Digests of verified secrets by the slow hash. A hash has a salt of its own: after a rotation or a deletion no record has it.
  const remembered = new Map<string, Uint8Array>();
  // Requests that present the same secret at the same time are one attempt.
  const running = new Map<string, Promise<boolean>>();

  const verified = async (caller: string, source: string, secret: string, hashes: readonly string[]) => {
    const wait = await attempts.begin(caller, source);
    if (wait > 0) throw tooManyGuesses(Math.ceil(wait / 1000));
    const turn = attempts.turn(caller, source);
    let found: string | undefined;
    try {
      for (const hash of hashes) if (await passwords.matches(secret, hash, turn)) found = hash;
    } catch (error) {
      await attempts.withdraw(caller, source);
      throw error;
    }
    if (found === undefined) return false;
    remembered.set(found, sha256(secret));
    const [oldest = ''] = remembered.keys();
    if (remembered.size > maxRemembered) remembered.delete(oldest);
    await attempts.succeed(caller, source);
    return true;
  };

  return {
    isRemembered(hash, digest) {
      const known = remembered.get(slowHashText(hash));
      return known !== undefined && timingSafeEqual(known, digest);
    },

    matches(caller, presented, source, now) {
      const hashes = canBeGuessed(presented) ? slowHashes(caller.secret, now) : [];
      if (hashes.length === 0) return undefined;
      const name = nameOf(caller);
      const key = JSON.stringify([name, presented, hashes]);
      const known = running.get(key);
      if (known !== undefined) return known;
      const attempt = verified(name, source, presented, hashes).finally(() => running.delete(key));
      running.set(key, attempt);
      return attempt;
    },
  };
}

/** A client and a resource server can have the same name. */
function nameOf(caller: RegisteredCaller): string {
  return isClient(caller) ? `client ${caller.clientId}` : `resource server ${caller.key}`;
}

function tooManyGuesses(retryAfter: number): OAuthError {
  const why = because('few_failures', { retryAfter, isGuessable: true });
  return new OAuthError('too_many_requests', { ...why, retryAfter });
}
