import { type AuthenticationModule, type ProvidedClaims, submitted } from '@watchword/protocol';
import { principalNamed } from './principal-named.ts';

// Users choose any user name. It is not checked against accounts, so it is not normalized.
const maxUsernameLength = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are rejected
const unfit = /[\u0000-\u001f\u007f-\u009f]/;

/** Accepts every user name and password, for demonstrations and development. */
export function formModule(): AuthenticationModule {
  return {
    name: 'form',
    label: 'authenticator.form',
    insecureBecause: 'danger.form',
    begin: async () => ({ type: 'form' }),
    resume: async (_context, submission) => {
      const name = submitted(submission, 'username').trim();
      return isUsername(name)
        ? { type: 'authenticated', principal: principalNamed(name, false), claims: claimsOf(name) }
        : { type: 'form', status: 400, message: { key: 'login.username' } };
    },
  };
}

/** Claims as clients of OpenID Connect expect them. Nobody has an address of this domain (RFC 2606 §3). */
function claimsOf(name: string): ProvidedClaims {
  return { name, ...(/^[\w.+-]+$/.test(name) && { email: `${name}@example.org`, email_verified: false }) };
}

function isUsername(name: string): boolean {
  return name !== '' && name.length <= maxUsernameLength && !unfit.test(name) && name.isWellFormed();
}
