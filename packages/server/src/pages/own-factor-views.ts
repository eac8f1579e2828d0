import type {
  OwnFactorPage,
  RecoveryCodesPage,
  ShownFactor,
  ShownFactors,
  TotpPage,
} from './own-factor-page.ts';
import { formView, helpView, name, ownerView, type Presentation, type View } from './view-parts.ts';

export function factorsView(
  { list, codesLeft, needsCodes, codesUrl, totpUrl }: ShownFactors,
  presentation: Presentation,
): View {
  const factors = list.map((factor) => ({ ...factorView(factor, presentation), url: factor.url }));
  return { list: factors, codesLeft: String(codesLeft), needsCodes, codesUrl, totpUrl };
}

export function totpView(page: TotpPage, presentation: Presentation): View {
  const { totp, accountUrl } = page;
  return { ...formView(page, presentation), totp: totpKeyView(totp), name: name(page.name), accountUrl };
}

/** The key in groups, as people type it. */
export function totpKeyView({ uri, secret, picture }: TotpPage['totp']): View {
  return { uri, secret: secret.replaceAll(/.{4}(?=.)/g, '$& '), picture };
}

export function recoveryCodesView(page: RecoveryCodesPage, presentation: Presentation): View {
  const { codes, left, downloadUrl, accountUrl } = page;
  const shown = { codes, left: String(left), hasCodes: left > 0, downloadUrl, accountUrl };
  return {
    ...formView(page, presentation),
    isNeutral: page.isNeutral === true,
    owner: ownerView(page.owner),
    ...shown,
  };
}

export function ownFactorView(page: OwnFactorPage, presentation: Presentation): View {
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
