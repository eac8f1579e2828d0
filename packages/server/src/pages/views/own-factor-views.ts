import type {
  NewPasskeyPage,
  OwnFactorPage,
  RecoveryCodesPage,
  ShownFactor,
  ShownFactors,
  TotpPage,
} from '../model/own-factor-page.ts';
import {
  formView,
  helpView,
  name,
  ownerView,
  type Presentation,
  passkeyView,
  type View,
} from './view-parts.ts';

export function factorsView(
  { list, codesLeft, needsCodes, codesUrl, totpUrl, passkeyUrl, accepted }: ShownFactors,
  presentation: Presentation,
): View {
  const factors = list.map((factor) => ({ ...factorView(factor, presentation), url: factor.url }));
  const urls = { codesUrl, totpUrl, passkeyUrl };
  return {
    list: factors,
    codesLeft: String(codesLeft),
    needsCodes,
    ...urls,
    accepted: JSON.stringify(accepted),
  };
}

/** The view of a page of second factors. */
export function factorPageView(
  page: TotpPage | RecoveryCodesPage | NewPasskeyPage | OwnFactorPage,
  presentation: Presentation,
): View {
  switch (page.page) {
    case 'totp':
      return totpView(page, presentation);
    case 'recovery-codes':
      return recoveryCodesView(page, presentation);
    case 'new-passkey':
      return newPasskeyView(page, presentation);
    case 'own-factor':
      return ownFactorView(page, presentation);
  }
}

function totpView(page: TotpPage, presentation: Presentation): View {
  const { totp, accountUrl } = page;
  return { ...formView(page, presentation), totp: totpKeyView(totp), name: name(page.name), accountUrl };
}

/** The key in groups, as people type it. */
export function totpKeyView({ uri, secret, picture }: TotpPage['totp']): View {
  return { uri, secret: secret.replaceAll(/.{4}(?=.)/g, '$& '), picture };
}

function newPasskeyView(page: NewPasskeyPage, presentation: Presentation): View {
  const { passkey, accountUrl } = page;
  const shown = { passkey: passkeyView(passkey), name: name(page.name), accountUrl };
  return { ...formView(page, presentation), ...shown };
}

function recoveryCodesView(page: RecoveryCodesPage, presentation: Presentation): View {
  const { codes, left, downloadUrl, accountUrl } = page;
  const shown = { codes, left: String(left), hasCodes: left > 0, downloadUrl, accountUrl };
  return {
    ...formView(page, presentation),
    isNeutral: page.isNeutral === true,
    owner: ownerView(page.owner),
    ...shown,
  };
}

function ownFactorView(page: OwnFactorPage, presentation: Presentation): View {
  const { isLast, asksPassword, passwordUrl, accountUrl } = page;
  return {
    ...formView(page, presentation),
    username: page.owner.name,
    factor: factorView(page.factor, presentation),
    ...{ isLast, asksPassword, passwordUrl, accountUrl },
    help: helpView(presentation),
  };
}

function factorView(factor: Omit<ShownFactor, 'url'>, { texts }: Presentation): View {
  const { kind, creationDate, lastUsed } = factor;
  return {
    kind: texts.plain(`factor.${kind}`),
    name: name(factor.name),
    since: texts.date(creationDate),
    lastUsed: lastUsed === 0 ? '' : texts.date(lastUsed),
  };
}
