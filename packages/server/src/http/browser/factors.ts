import type {
  CodesView,
  FactorOutcome,
  FactorsEndpoint,
  OneFactorView,
  OwnFactors,
  PasskeyView,
  TotpView,
} from '@watchword/accounts';
import type { Message, OwnPage } from '@watchword/protocol';
import type { ShownFactors } from '../../pages/model/own-factor-page.ts';
import type { HttpAnswer } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission, queryParameters } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { type AuthorizationRouteDependencies, authorizationAnswer } from './authorize.ts';
import { ownForm } from './own-form.ts';
import { passwordUrl } from './password.ts';
import { shownOwner } from './shown.ts';

interface FactorRouteDependencies extends AuthorizationRouteDependencies {
  readonly factors: FactorsEndpoint;
  /** The name that pages show for the product now. */
  readonly productName: () => string;
}

const passkeyPath = '/account/passkey';
const totpPath = '/account/totp';
const codesPath = '/account/recovery-codes';
const downloadPath = `${codesPath}/download`;
const factorPath = '/account/factor';
const queryNames: ReadonlySet<string> = new Set(['id']);

/** What the account page says of what came of a change. */
const factorTexts: Readonly<Record<Exclude<FactorOutcome, 'login'>, string>> = {
  added: 'account.factorAdded',
  renamed: 'account.factorRenamed',
  removed: 'account.factorRemoved',
  gone: 'account.factorGone',
  last: 'account.factorLast',
  late: 'page.late',
};

const done: ReadonlySet<string> = new Set<FactorOutcome>(['added', 'renamed', 'removed']);

/** @param outcome of the address of the account page, which anybody can write */
export function factorMessage(
  outcome = '',
): { readonly message: Message; readonly isNeutral: boolean } | undefined {
  const key = new Map(Object.entries(factorTexts)).get(outcome);
  return key === undefined ? undefined : { message: { key }, isNeutral: !done.has(outcome) };
}

export function shownFactors(
  { factors, recoveryCodesLeft, needsRecoveryCodes, passkeys }: OwnFactors,
  prefix: string,
): ShownFactors {
  return {
    list: factors.map(({ id, ...factor }) => ({
      ...factor,
      url: `${prefix}${factorPath}?id=${encodeURIComponent(id)}`,
    })),
    codesLeft: recoveryCodesLeft,
    needsCodes: needsRecoveryCodes,
    codesUrl: `${prefix}${codesPath}`,
    totpUrl: `${prefix}${totpPath}`,
    ...(passkeys && { passkeyUrl: `${prefix}${passkeyPath}`, accepted: passkeys }),
  };
}

type View = TotpView | PasskeyView | CodesView | OneFactorView;

/** The pages on which people add, change and remove second factors. */
export function factorRoutes(deps: FactorRouteDependencies): Endpoint[] {
  const { answers, authorization, cookies, factors, prefix } = deps;
  const accountUrl = `${prefix}/account`;
  /** @param page where a login leads */
  const answer = async (
    request: HttpRequest,
    came: View | FactorOutcome | undefined,
    page: OwnPage = '/account',
  ): Promise<HttpAnswer> => {
    if (came === undefined || came === 'login') {
      const login = await authorization.loginForAccount(cookies.read(request), page, came === 'login');
      return authorizationAnswer(login, request, deps);
    }
    if (typeof came === 'string') return answers.redirect(request, `${accountUrl}?factor=${came}`);
    return shown(request, came, deps);
  };
  const common = { page: true, hasEffects: true };
  const form = (
    path: OwnPage,
    show: FactorsEndpoint['showPasskey' | 'showTotp' | 'showCodes'],
    post: FactorsEndpoint['addPasskey' | 'addTotp' | 'makeCodes'],
  ): Endpoint => ({
    ...common,
    path,
    methods: {
      GET: async (request) => answer(request, await show(cookies.read(request)), path),
      POST: async (request) =>
        answer(request, await post(browserSubmission(request), cookies.read(request)), path),
    },
  });
  return [
    form(passkeyPath, factors.showPasskey, factors.addPasskey),
    form(totpPath, factors.showTotp, factors.addTotp),
    form(codesPath, factors.showCodes, factors.makeCodes),
    {
      ...common,
      path: downloadPath,
      methods: {
        GET: (request) => answers.redirect(request, `${prefix}${codesPath}`),
        POST: async (request) => {
          const codes = await factors.codesOf(browserSubmission(request), cookies.read(request));
          return codes === undefined || typeof codes === 'string'
            ? answer(request, codes)
            : download(codes, deps);
        },
      },
    },
    {
      ...common,
      path: factorPath,
      methods: {
        GET: async (request) => {
          const id = queryParameters(request, queryNames).get('id') ?? '';
          return answer(request, await factors.showFactor(id, cookies.read(request)));
        },
        POST: async (request) =>
          answer(request, await factors.change(browserSubmission(request), cookies.read(request))),
      },
    },
  ];
}

function shown(request: HttpRequest, view: View, { answers, prefix }: FactorRouteDependencies): HttpAnswer {
  const accountUrl = `${prefix}/account`;
  const owner = shownOwner(view.owner);
  switch (view.type) {
    case 'totp': {
      const { uri, secret, picture, name } = view;
      const page = {
        page: 'totp',
        action: `${prefix}${totpPath}`,
        totp: { uri, secret, picture },
        name,
      } as const;
      return ownForm(request, { ...page, accountUrl }, view, answers);
    }
    case 'passkey': {
      const { options, name } = view;
      const page = {
        page: 'new-passkey',
        action: `${prefix}${passkeyPath}`,
        passkey: { options },
        name,
      } as const;
      return ownForm(request, { ...page, accountUrl }, view, answers);
    }
    case 'codes': {
      const { codes, left, added, authState, cookies } = view;
      const message = added === undefined ? {} : { message: { key: factorTexts.added } };
      const page = { page: 'recovery-codes', action: `${prefix}${codesPath}`, owner, codes, left } as const;
      const urls = { downloadUrl: `${prefix}${downloadPath}`, accountUrl };
      return answers.page(request, { ...page, ...urls, authState, ...message }, { cookies });
    }
    case 'factor': {
      const { factor, isLast, asksPassword } = view;
      const page = { page: 'own-factor', action: `${prefix}${factorPath}`, owner, factor } as const;
      const urls = { passwordUrl: passwordUrl(prefix), accountUrl };
      return ownForm(request, { ...page, ...urls, isLast, asksPassword }, view, answers);
    }
  }
}

function download(codes: readonly string[], { productName }: FactorRouteDependencies): HttpAnswer {
  return {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="recovery-codes.txt"',
    },
    body: `${[productName(), '', ...codes].join('\n')}\n`,
  };
}
