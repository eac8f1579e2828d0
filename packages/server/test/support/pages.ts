import type { Page } from '../../src/pages/model/page.ts';
import { createPages, type Pages, type PagesOptions } from '../../src/pages/pages.ts';
import type { PageRequest } from '../../src/pages/rendered-page.ts';

const noFactors = {
  list: [],
  codesLeft: 0,
  needsCodes: false,
  codesUrl: '/account/recovery-codes',
  totpUrl: '/account/totp',
  passkeyUrl: '/account/passkey',
  accepted: {},
};

/** Pages with the built-in files by default. */
export function testPages(options: Partial<PagesOptions> = {}): Pages {
  return createPages({
    productName: 'Watchword',
    logo: undefined,
    stylesheet: undefined,
    templates: undefined,
    locales: undefined,
    moduleTexts: {},
    pictureHosts: [],
    isHttps: true,
    onFailedReplacement: ({ place, problem }) => {
      throw new Error(`${place}: ${problem}`);
    },
    ...options,
  });
}

export const pageRequest: PageRequest = {
  acceptLanguage: 'en',
  requestId: 'request-1',
  formTargets: [],
  prefix: '',
};

/** The pages of the built-in files, which are read once. */
export const builtInPages = testPages();

export function html(page: Page, pages = builtInPages, request: Partial<PageRequest> = {}): string {
  return pages.render(page, { ...pageRequest, ...request }).html;
}

/** Every page with everything that it can show, where each external text is `text`. */
export function everyPage(text = 'Night job', picture = ''): readonly Page[] {
  const form = { action: '/form', authState: text, message: text };
  const client = { name: text, description: text, picture };
  const owner = { name: text, displayName: text };
  const unconfirmed = { host: text, owner: text, identityProvider: text };
  const field = { name: text, kind: text, description: text };
  const route = {
    ...{ id: text, method: text, path: text, summary: text, description: text, scope: text },
    parameters: [field],
    fields: [field],
    answers: [{ status: text, description: text }],
  };
  const withText = { key: 'account.withdrawn', values: { client: text } };
  const totp = {
    uri: `otpauth://totp/${encodeURIComponent(text)}`,
    secret: 'GEZDGNBV',
    picture: { size: 45, path: 'M4 4h7v1h-7z' },
  };
  const tool = {
    ...{ id: text, name: text, picture, since: 0, lastUsed: 1 },
    ...{ resourceServers: [{ key: text, name: text }], lastUsedFor: [{ key: text, name: text }] },
    ...{ withdrawUrl: '/account/withdraw?client=1', scopes: [{ name: text }], consentedScopes: [] },
  };
  const factor = { kind: 'passkey', name: text, creationDate: 0, lastUsed: 1 } as const;
  return [
    {
      ...form,
      page: 'login',
      choices: [{ value: text, text }],
      firstAdministrator: 'account',
      client,
      unconfirmed,
      resourceServers: [{ key: text, name: text }],
      fields: [
        { name: 'username', label: text, type: 'text', autocomplete: 'username', value: text },
        { name: text, label: 'field.password', type: 'password', autocomplete: 'current-password' },
        { name: 'code', label: 'field.code', type: 'text', autocomplete: 'one-time-code', value: text },
      ],
      passkey: { options: { rpId: text }, unknown: text },
      insecureBecause: text,
      chooserUrl: '/login/choose',
      cancelUrl: '/login/cancel',
    },
    {
      page: 'authenticators',
      authState: 'x',
      cancelUrl: '/login/cancel',
      client,
      unconfirmed,
      resourceServers: [{ key: text, name: text }],
      authenticators: [
        { label: text, url: '/login/choose?authenticator=a', isLast: true, isInsecure: true },
        {
          label: 'authenticator.password',
          url: '/login/choose?authenticator=b',
          isLast: false,
          isInsecure: false,
        },
      ],
    },
    { page: 'authenticators', authState: 'x', authenticators: [] },
    {
      ...{ ...form, page: 'new-passkey', name: text, accountUrl: '/account' },
      passkey: { options: { rpId: text }, unknown: text },
    },
    { ...form, page: 'totp', totp, name: text, accountUrl: '/account' },
    {
      ...{ ...form, page: 'recovery-codes', owner, codes: [], left: 2 },
      ...{ downloadUrl: '/download', accountUrl: '/account' },
    },
    {
      ...{ page: 'recovery-codes', action: '/form', authState: 'x', owner, codes: ['2f7k-9q4h-0w8t-m3x0'] },
      ...{ left: 10, downloadUrl: '/download', accountUrl: '/account' },
    },
    {
      ...{ ...form, page: 'own-factor', owner, factor, isLast: true, asksPassword: true },
      ...{ passwordUrl: '/account/password', accountUrl: '/account' },
    },
    { page: 'login', action: '/form', authState: 'x', message: withText },
    {
      ...form,
      page: 'choice',
      client,
      unconfirmed: { ...unconfirmed, identityProvider: 'client:7' },
      resourceServers: [{ key: text, name: text }],
      query: text,
      choices: [
        { name: text, picture, url: '/choice?choice=a' },
        { name: 'Elsewhere', picture: '', url: '/choice?choice=b' },
      ],
      matches: 9,
      last: { name: text, picture, url: '/choice?choice=a' },
      chooserUrl: '/login/choose',
    },
    { page: 'choice', action: '/choice', authState: 'x', query: '', choices: [], matches: 0 },
    {
      ...form,
      page: 'login-step',
      client,
      unconfirmed,
      resourceServers: [{ key: text, name: text }],
      owner,
      title: text,
      text,
      link: { url: 'https://www.example.com/terms', text },
      fields: [{ name: 'code', label: text, type: 'text', autocomplete: 'one-time-code', value: text }],
      passkey: { options: { rpId: text }, unknown: text },
      totp,
      box: { name: 'trust', text },
      choices: [
        { value: text, text },
        { value: 'decline', text: { key: 'action.decline' } },
      ],
    },
    {
      page: 'login-step',
      action: '/form',
      authState: 'x',
      owner,
      title: text,
      codes: ['2f7k-9q4h-0w8t-m3x0'],
      choices: [{ value: 'x', text }],
    },
    {
      ...form,
      page: 'select-account',
      client,
      unconfirmed,
      resourceServers: [{ key: text, name: text }],
      owner,
    },
    { page: 'forward', action: 'https://idp.example/sso', fields: { SAMLRequest: text } },
    { page: 'forward', action: 'https://idp.example/sso' },
    { page: 'repeat', action: '/authorize', fields: [{ name: text, value: text }] },
    {
      ...form,
      page: 'consent',
      client: { ...client, policyUrl: 'https://app.example/privacy?a=1&b="', termsUrl: '' },
      destination: { host: text, consentText: { key: 'consent.return' } },
      unconfirmed,
      resourceServers: [{ key: text, name: text, description: text, resources: [text] }],
      owner,
      isLogin: true,
      isLoginOnly: false,
      scopes: [
        { name: 'email', isOpenid: true, ticked: true, isNew: false },
        { name: text, ticked: true, isNew: true },
        { name: 'write', ticked: false, isNew: false },
      ],
      insecureBecause: text,
      switchUrl: '/switch',
      accountUrl: '/account',
    },
    { page: 'answered', action: '/form', authState: text, client },
    {
      page: 'error',
      kind: 'invalid_request',
      status: 400,
      error: text,
      description: text,
      requestId: 'request-1',
      advice: text,
      goOn: { location: 'https://app.example/cb?error=x&a=b', host: text },
      retryAfter: 5,
    },
    {
      ...{
        page: 'error',
        kind: 'invalid_scope',
        status: 400,
        error: text,
        description: text,
        requestId: 'x',
      },
      goOn: { location: 'https://app.example/cb', host: text, fields: { error: text, state: text } },
    },
    {
      ...form,
      page: 'account',
      factors: {
        ...{ ...noFactors, list: [{ ...factor, url: '/account/factor?id=a' }], codesLeft: 2 },
        needsCodes: true,
      },
      owner,
      claims: { email: text, email_verified: false, department: [text, text], address: { country: text } },
      logoutUrl: '/logout',
      sessionsUrl: '/account/sessions',
      dataUrl: '/account/data',
      deletionUrl: '/account/delete',
      isLocal: true,
      links: {
        url: '/account/links',
        linked: [{ authenticator: 'a', label: text, name: text, creationDate: 0, lastUsed: 1 }],
        offered: [{ authenticator: 'b', label: text }],
      },
      sessions: [
        {
          ...{ id: text, device: text, source: text, places: [{ en: text }], creationDate: 0, lastUsed: 1 },
          isCurrent: true,
        },
        { id: 'b', device: '', source: '', places: [], creationDate: 0, lastUsed: 1, isCurrent: false },
      ],
      passwordUrl: '/account/password',
      ...{ tools: [], toolsUrl: '/account/withdraw?tools=all' },
      applications: [
        {
          ...{
            id: text,
            name: text,
            picture,
            resourceServers: [{ key: text, name: text }],
            since: 0,
            lastUsed: 1,
          },
          withdrawUrl: '/account/withdraw?client=1',
          scopes: [{ name: text }, { name: 'x', description: text }],
          consentedScopes: [{ name: text }],
        },
        {
          ...{ id: 'b', name: 'B', picture: '', resourceServers: [{ key: 'c', name: 'C' }], since: 0 },
          withdrawUrl: '/account/withdraw?client=2',
          ...{ scopes: [], consentedScopes: [{ name: 'read' }] },
        },
      ],
    },
    {
      ...{
        page: 'account',
        factors: noFactors,
        action: '/form',
        authState: 'x',
        owner,
        logoutUrl: '/logout',
      },
      ...{
        sessionsUrl: '/account/sessions',
        dataUrl: '/account/data',
        deletionUrl: '/account/delete',
        isLocal: true,
        sessions: [],
      },
      ...{ claims: {}, applications: [], withdrawn: { name: text, home: 'https://app.example' } },
      tools: [
        { vendor: text, withdrawUrl: '/account/withdraw?tools=at%3Aa', applications: [tool, tool] },
        { vendor: '', withdrawUrl: '/account/withdraw?tools=registered', applications: [tool] },
      ],
      toolsUrl: '/account/withdraw?tools=all',
    },
    {
      ...form,
      ...{ page: 'withdraw-tools', selection: text, vendor: text, accountUrl: '/account' },
      applications: [tool],
    },
    {
      ...{ page: 'withdraw', action: '/account', authState: 'x', accountUrl: '/account' },
      application: tool,
    },
    { ...form, page: 'password', owner, leastCharacters: 8, accountUrl: '/account', endsGrants: true },
    { page: 'password', action: '/form', authState: 'x', owner, leastCharacters: 15, message: withText },
    { page: 'password-set', accountUrl: '/account' },
    { page: 'password-set', isNew: true, accountUrl: '/account' },
    { ...form, page: 'link', owner, provider: text, name: text, accountUrl: '/account' },
    {
      ...form,
      page: 'deletion',
      owner,
      isLocal: true,
      asksPassword: true,
      accountUrl: '/account',
      logoutUrl: '/logout',
    },
    {
      ...{ page: 'deletion', action: '/form', authState: 'x', owner, isLocal: false, asksPassword: false },
      ...{ obstacle: 'login', accountUrl: '/account', logoutUrl: '/logout' },
    },
    { page: 'deleted', isLocal: false, accountUrl: '/account' },
    { ...form, page: 'invitation', username: text, displayName: text },
    { ...form, page: 'invitation', username: text, displayName: text, address: text },
    { ...form, page: 'logout', owner },
    { ...form, page: 'logout', owner, client: { name: text, description: text, picture } },
    { page: 'logged-out', accountUrl: '/account' },
    {
      page: 'logged-out',
      client: { name: text, description: text, picture, url: 'https://app.example/out' },
    },
    {
      page: 'logged-out',
      goOn: { url: 'https://app.example/out' },
      frames: ['https://app.example/logout?iss=x'],
    },
    { page: 'step', accountUrl: '/account' },
    {
      page: 'start',
      accountUrl: '/account',
      administrationUrl: '/client/client.html',
      metadataUrl: '/metadata',
      documentationUrl: '/admin/docs',
      firstAdministrator: 'form',
    },
    {
      page: 'states',
      states: [{ label: 'Sign in', url: '/development/pages/login' }],
      languages: [{ language: 'en', url: '/development/pages' }],
      lookUrl: '/development/pages/look',
    },
    {
      page: 'reference',
      lead: [text],
      documentUrl: '/admin/openapi.json',
      groups: [{ name: text, routes: [route] }],
      records: [{ name: text, description: text, fields: [field] }],
      settings: [{ elementId: 'setting-x', name: text, description: text, fields: [field] }],
    },
  ];
}

/** The first of {@link everyPage} of its kind. */
export function samplePage<Kind extends Page['page']>(
  kind: Kind,
  text?: string,
  picture?: string,
): Extract<Page, { page: Kind }> {
  const found = everyPage(text, picture).find(({ page }) => page === kind);
  if (found === undefined) throw new Error(`there is no sample of ${kind}`);
  return found as Extract<Page, { page: Kind }>;
}

/** The visible text of a page, without its title. */
export function textOf(shown: string): string {
  return shown.replaceAll(/<title>.*<\/title>|<[^>]*>/g, '');
}
