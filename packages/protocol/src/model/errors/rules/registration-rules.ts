import type { ErrorRule } from './error-rule.ts';

/** Rules of clients that register themselves (RFC 7591), and of their changes (RFC 7592). */
export const registrationRules = {
  registered_redirect_uris: {
    requirement:
      'A client that registers itself has redirect URIs, each of which is https, http on a loopback host, or has a private-use scheme.',
    section: 'RFC 7591 §2',
    advice: 'Send redirect_uris as a list of texts, with every address to which users return.',
    refusal: unusable,
  },
  registered_metadata: {
    requirement: 'The members of a registration have values that the server can use.',
    section: 'RFC 7591 §2',
    advice: 'Mend the members that the answer names. Members that the server does not know do no harm.',
    refusal: unusable,
  },
  kept_registration: {
    requirement:
      'A client that changes its registration names its own client_id, chooses no secret, and stays public or confidential.',
    section: 'RFC 7592 §2.2',
    advice:
      'Send what the server answered last, with the changes. For anything else, register another client.',
    refusal: unusable,
  },
  initial_token: {
    requirement: 'A registration has an initial access token that an administrator has made and not ended.',
    section: 'RFC 7591 §3',
    command: 'watchword initial-token list',
    advice: 'Ask an administrator for a token. It can have expired, or have as many clients as it can have.',
    refusal: () => ({ description: 'This needs an initial access token that is valid, after Bearer.' }),
  },
  registration_token: {
    requirement:
      'A client reads, changes and deletes its registration with its own registration access token, as long as it is registered.',
    section: 'RFC 7592 §2',
    advice: 'Send the registration_access_token of the answer to the registration, or register again.',
    refusal: () => ({
      description: 'This needs the registration access token of this client, after Bearer.',
    }),
  },
  registration_pace: {
    requirement: 'From one network address, not too many clients register themselves in a short time.',
    section: 'RFC 7591 §5',
    advice: 'Wait for the seconds of Retry-After. A client registers once and keeps its client_id.',
    refusal: ({ retryAfter }: { readonly retryAfter: number }) => ({
      description: `Too many registrations came from this network; the next one is possible in ${retryAfter} s.`,
    }),
  },
  few_unused_clients: {
    requirement: 'Not too many clients that registered themselves have never got a token.',
    section: 'RFC 7591 §5',
    advice:
      'Somebody has registered thousands of clients within an hour. Set clients.registration to tokens until it ends.',
    refusal: () => ({ description: 'Too many clients have registered and are not used; try again later.' }),
  },
} as const satisfies Readonly<Record<string, ErrorRule>>;

/** @param problems each is the name of a member with what is wrong with it */
function unusable({ problems }: { readonly problems: readonly string[] }) {
  return { description: `The registration cannot be used. ${problems.join('; ')}` };
}
