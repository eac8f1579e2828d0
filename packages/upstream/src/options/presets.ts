import type { OptionReader } from '@watchword/protocol';
import { type IssuerRule, oneIssuer, tenantIssuers } from '../provider/issuer-rule.ts';

export const presetNames = ['none', 'google', 'microsoft', 'apple', 'gitlab', 'github'] as const;

export type PresetName = (typeof presetNames)[number];

/** What is known of a provider without its options. */
export interface Preset {
  readonly issuer?: string;
  readonly scopes: readonly string[];
  /** Whether `openid` is one of its scopes. */
  readonly isOpenid: boolean;
  readonly responseMode: 'query' | 'form_post';
  readonly emailDomains: readonly string[];
}

const usual: Preset = {
  scopes: ['profile', 'email'],
  isOpenid: true,
  responseMode: 'query',
  emailDomains: [],
};

export const presets: Readonly<Record<PresetName, Preset>> = {
  none: usual,
  // It answers for its own addresses, and for those of a domain that the claim `hd` names: see `isTrusted`.
  google: { ...usual, issuer: 'https://accounts.google.com', emailDomains: ['gmail.com'] },
  // Anybody who has a tenant writes any address into it.
  microsoft: { ...usual, issuer: 'https://login.microsoftonline.com' },
  // With scopes it answers by form_post alone.
  apple: {
    ...usual,
    issuer: 'https://appleid.apple.com',
    scopes: ['name', 'email'],
    responseMode: 'form_post',
    emailDomains: ['*'],
  },
  gitlab: { ...usual, issuer: 'https://gitlab.com', emailDomains: ['*'] },
  github: {
    ...usual,
    issuer: 'https://github.com',
    scopes: ['read:user', 'user:email'],
    isOpenid: false,
    emailDomains: ['*'],
  },
};

const several = ['common', 'organizations', 'consumers'];

/** @param issuer of the options or of the preset */
export function readIssuers(options: OptionReader, preset: PresetName, issuer: string): IssuerRule {
  if (preset !== 'microsoft') return oneIssuer(issuer);
  const tenant = options.text('tenant');
  const tenants = options.texts('tenants').map((id) => id.toLowerCase());
  if (tenant === undefined) {
    options.problem(
      'tenant',
      'is missing: the id or domain of a tenant, or organizations with the option tenants',
    );
  } else if (several.includes(tenant) && tenants.length === 0) {
    options.problem(
      'tenants',
      `is missing: with ${tenant} name the ids of the tenants, or * for every user of Microsoft`,
    );
  }
  return tenantIssuers(issuer.replace(/\/$/, ''), tenant ?? '', tenants);
}
