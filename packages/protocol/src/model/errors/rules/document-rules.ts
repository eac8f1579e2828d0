import type { ErrorRule } from './error-rule.ts';

const draft = 'OAuth Client ID Metadata Document (draft 02)';
const ofApplication =
  'Only those who offer the application can mend it. Fetch the address of the client_id yourself to see what the server sees.';

/** Rules of clients whose client_id is the URL of a document that describes them. */
export const documentRules = {
  client_document_url: {
    requirement:
      'A client_id that is a URL begins with https, has a path, and has no fragment, no user and no dot segment.',
    section: `${draft} §3`,
    advice: ofApplication,
    /** @param problem a part of a sentence */
    refusal: ({ problem }: { readonly problem: string }) => ({
      description: `The client_id is a URL that cannot name a client: it ${problem}.`,
    }),
  },
  client_document: {
    requirement:
      'A client_id that is a URL is the address of a JSON document with the redirect URIs of the client and the same client_id, which needs no redirect.',
    section: `${draft} §4`,
    advice: ofApplication,
    refusal: ({ problem, host }: { readonly problem: string; readonly host: string }) => ({
      description: `The document of the client at its client_id ${problem}.`,
      came: host,
    }),
  },
  client_host: {
    requirement: 'The operator permits clients of the host of a client_id that is a URL.',
    section: `${draft} §8`,
    command: 'watchword client-host list',
    advice:
      'If the application is known, allow its host: in the setting clients.metadataDocuments, or by client-host allow.',
    refusal: ({ host }: { readonly host: string }) => ({
      description: 'This server takes no clients of the host of this client_id.',
      came: host,
    }),
  },
  tools_per_person: {
    requirement:
      'A person gives access to a limited number of clients that documents describe, and brings a limited number of new ones in an hour.',
    section: `${draft} §8`,
    command: 'watchword config',
    advice:
      'The person removes access at the account page. Whoever needs more: the setting clients.toolsPerPerson is the limit.',
    refusal: ({ limit }: { readonly limit: number }) => ({
      description: `The resource owner has given access to ${limit} clients that documents describe, or brought as many new ones in an hour. The server allows no more.`,
      expected: `at most ${limit}`,
    }),
  },
  client_document_pace: {
    requirement:
      'Documents of clients are read at a limited pace: from one host, and for one address that asks.',
    section: `${draft} §8.6`,
    advice: 'Wait for a moment. Documents that were read before are not affected.',
    refusal: ({ retryAfter }: { readonly retryAfter: number }) => ({
      description: `Too many documents of clients are asked for; the next one is read in ${retryAfter} s.`,
    }),
  },
} as const satisfies Readonly<Record<string, ErrorRule>>;
