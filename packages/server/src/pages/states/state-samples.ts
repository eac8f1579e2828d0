import type { Message } from '@watchword/protocol';
import type { AccountPage } from '../model/account-page.ts';
import type { ConsentPage, Page } from '../model/page.ts';

/** A page in one of its states, with invented people and applications. */
export interface PageState {
  /** Its last part of an address. */
  readonly name: string;
  /** What tells it from the others: texts that the page shows. */
  readonly label: readonly Message[];
  readonly page: Page;
}

// Invented people, applications and providers, and pages with them.

export const form = { action: '#', authState: '' };
export const owner = { name: 'emma', displayName: 'Emma Jansen' };
export const client = {
  name: 'Weekly planner',
  description: 'Plans the week with your colleagues.',
  picture: '',
};
export const resourceServer = {
  key: 'calendar',
  name: 'Calendar',
  description: 'Meetings, rooms and who is free.',
  resources: [],
};
export const rooms = {
  key: 'rooms',
  name: 'Rooms',
  description: '',
  resources: ['https://rooms.example/mcp'],
};
export const asking = { client, resourceServers: [resourceServer], cancelUrl: '#' };
export const unconfirmed = { host: 'planner.example', owner: 'Ada', identityProvider: 'password' };
export const described = {
  ...{ ...unconfirmed, host: '127.0.0.1:33418' },
  document: { host: 'tool.example', url: 'https://tool.example/client.json' },
  isLocal: true,
};
export const selfRegistered = { ...unconfirmed, isSelfRegistered: true };
const destination = { host: 'planner.example', consentText: { key: 'consent.return', values: {} } };
export const application = {
  ...{ id: '1', name: client.name, picture: '', resourceServers: [resourceServer], withdrawUrl: '#' },
  since: Date.UTC(2026, 4, 3),
};
export const scopes = [
  { name: 'read', description: 'See your meetings', ticked: true, isNew: false },
  { name: 'write', description: 'Plan and move meetings', ticked: true, isNew: true },
];
const claims = { name: 'Emma Jansen', email: 'emma@example.com', email_verified: true };
export const shownClient = { key: 'login.client', values: { client: client.name } };
export const isNeutral = true;

export const login = { page: 'login', ...form, ...asking } as const;
export const passkey = { options: {} };
const session = {
  ...{ source: '192.0.2.7', isCurrent: true },
  creationDate: Date.UTC(2026, 8, 14),
  lastUsed: Date.UTC(2026, 8, 15),
};
export const google = { authenticator: 'google', label: 'Google', name: claims.email };
export const factor = { kind: 'totp', name: 'Phone', ...session } as const;
export const factors = {
  ...{ list: [{ ...factor, url: '#' }], codesLeft: 9, needsCodes: false, codesUrl: '#', totpUrl: '#' },
};
const links = { url: '#', linked: [{ ...google, ...session }], offered: [google] };
/** Tools of two vendors, and one that registered itself. */
export const tool = {
  ...{
    ...application,
    resourceServers: [rooms],
    lastUsedFor: [rooms],
    scopes: [],
    consentedScopes: [],
  },
  lastUsed: Date.UTC(2026, 8, 15, 9, 30),
};
export const tools: AccountPage['tools'] = [
  {
    vendor: 'tool.example',
    applications: [
      {
        ...tool,
        id: '3',
        name: 'Code helper (tool.example)',
        scopes: [{ name: 'book', description: 'Book rooms' }],
      },
      { ...tool, id: '4', name: 'Chat (tool.example)' },
    ],
    withdrawUrl: '#',
  },
  {
    vendor: 'other.example',
    applications: [{ ...tool, id: '5', name: 'Helper (other.example)' }],
    withdrawUrl: '#',
  },
  { vendor: '', applications: [{ ...tool, id: '6', name: 'Notes' }], withdrawUrl: '#' },
];
export const account: AccountPage = {
  page: 'account',
  ...{ ...form, owner, claims, logoutUrl: '#', passwordUrl: '#', addressUrl: '#', sessionsUrl: '#' },
  ...{ dataUrl: '#', deletionUrl: '#', isLocal: true, links, factors },
  sessions: [
    { ...session, id: '1', device: 'Firefox, Linux', places: [{ en: 'Utrecht' }, { en: 'Netherlands' }] },
    { ...session, id: '2', device: 'Safari, iPhone', places: [], isCurrent: false },
  ],
  applications: [
    { ...application, lastUsed: Date.UTC(2026, 8, 14), scopes, consentedScopes: [] },
    { ...application, id: '2', name: 'Room display', scopes: [], consentedScopes: scopes.slice(0, 1) },
  ],
  ...{ tools: [], toolsUrl: '#' },
};
export const consent: ConsentPage = {
  page: 'consent',
  ...{ ...form, destination, resourceServers: [resourceServer], owner, scopes },
  client: { ...client, policyUrl: 'https://app.example/privacy', termsUrl: 'https://app.example/terms' },
  ...{ isLogin: true, isLoginOnly: false, switchUrl: '#', accountUrl: '#' },
};
export const password = { page: 'password', ...form, owner, leastCharacters: 15 } as const;
export const invitation = { page: 'invitation', ...form, username: '', displayName: '' } as const;
export const deletion = {
  page: 'deletion',
  ...form,
  owner,
  ...{ isLocal: true, asksPassword: true },
  accountUrl: '#',
  logoutUrl: '#',
} as const;

export const link = {
  page: 'link',
  ...form,
  owner,
  provider: google.label,
  ...google,
  accountUrl: '#',
} as const;
export const choices = ['Example University', 'School of Music', 'City Library'].map((name) => ({
  ...{ name, picture: '', url: '#' },
}));
export const choice = {
  page: 'choice',
  ...form,
  client,
  cancelUrl: '#',
  query: '',
  choices,
  matches: 12,
} as const;
