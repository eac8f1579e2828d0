import { t } from '../../texts/texts.ts';

/** A setting of a kind, as its form has it. */
export interface KindSetting {
  readonly name: SettingName;
  /** `lines`: a list, with one entry on each line. */
  readonly type: 'text' | 'lines' | 'code' | 'secret' | 'preset';
  readonly placeholder?: string;
  /** Whether a provider with this preset has it. Default: all have. */
  readonly isOf?: (preset: string) => boolean;
}

export type SettingName =
  | 'metadataUrl'
  | 'metadata'
  | 'entityId'
  | 'signingCertificates'
  | 'nameFrom'
  | 'stableIdFrom'
  | 'displayNameFrom'
  | 'emailFrom'
  | 'groupsFrom'
  | 'rolesFrom'
  | 'requiredGroups'
  | 'adminGroup'
  | 'mfaValues'
  | 'phrValues'
  | 'preset'
  | 'tenant'
  | 'tenants'
  | 'teamId'
  | 'keyId'
  | 'privateKey'
  | 'linkByVerifiedAddress'
  | 'issuer'
  | 'clientId'
  | 'clientSecret'
  | 'scopes'
  | 'keepGroups'
  | 'emailDomains';

/** A kind of identity provider that can be set up here. */
interface Kind {
  readonly metadata?: KindMetadata;
  /** Of the other side, beside metadata. */
  readonly otherSide: readonly KindSetting[];
  /** What becomes of a user. */
  readonly rules: readonly KindSetting[];
}

/** The two ways to describe the other side: by the address of a document, or by the document itself. */
export interface KindMetadata {
  readonly url: SettingName;
  readonly text: SettingName;
  /** Extension of a file with the document. */
  readonly file: string;
}

const text = (name: SettingName, placeholder = ''): KindSetting => ({ name, type: 'text', placeholder });
const lines = (name: SettingName, placeholder = ''): KindSetting => ({ name, type: 'lines', placeholder });

/** What the words of the other side are worth here. */
const levels = [lines('mfaValues', 'https://refeds.org/profile/mfa'), lines('phrValues', 'phr')];

const isOfApple = (preset: string) => preset === 'apple';
const isOfMicrosoft = (preset: string) => preset === 'microsoft';

/** Whether a provider with these settings has it. */
export function isShown(
  { isOf }: KindSetting,
  { preset = '' }: Partial<Record<SettingName, string>>,
): boolean {
  return isOf?.(preset) ?? true;
}

/** Providers of which the server knows what is special. */
const presets = ['google', 'microsoft', 'apple', 'gitlab', 'github'] as const;

export function presetChoices() {
  const known = presets.map((value) => ({ value, label: t(`provider.preset.${value}`) }));
  return [{ value: '', label: t('provider.preset.none') }, ...known];
}

/** By the names of the server. Another kind is another entry, with its texts. */
export const kinds: Readonly<Record<string, Kind>> = {
  saml: {
    metadata: {
      url: 'metadataUrl',
      text: 'metadata',
      file: '.xml,application/xml,text/xml,application/samlmetadata+xml',
    },
    otherSide: [],
    rules: [
      text('entityId', 'https://…'),
      { name: 'signingCertificates', type: 'code' },
      lines('nameFrom', 'urn:mace:dir:attribute-def:uid'),
      lines('stableIdFrom', 'NameID'),
      lines('displayNameFrom', 'urn:mace:dir:attribute-def:displayName'),
      text('emailFrom', 'urn:mace:dir:attribute-def:mail'),
      lines('groupsFrom', 'urn:mace:dir:attribute-def:isMemberOf'),
      lines('rolesFrom'),
      lines('requiredGroups'),
      text('adminGroup'),
      ...levels,
    ],
  },
  oidc: {
    otherSide: [
      { name: 'preset', type: 'preset' },
      { ...text('tenant'), isOf: isOfMicrosoft },
      { ...lines('tenants'), isOf: isOfMicrosoft },
      text('issuer', 'https://…'),
      text('clientId'),
      { name: 'clientSecret', type: 'secret', isOf: (preset) => preset !== 'apple' },
      { ...text('teamId'), isOf: isOfApple },
      { ...text('keyId'), isOf: isOfApple },
      { name: 'privateKey', type: 'code', isOf: isOfApple },
      lines('scopes', 'profile'),
    ],
    rules: [
      lines('nameFrom', 'sub'),
      lines('displayNameFrom', 'name'),
      text('emailFrom', 'email'),
      lines('groupsFrom', 'groups'),
      lines('rolesFrom', 'realm_access.roles'),
      lines('requiredGroups'),
      lines('keepGroups', 'team-*'),
      text('adminGroup'),
      lines('emailDomains', 'example.org'),
      lines('linkByVerifiedAddress', 'example.org'),
      ...levels,
    ],
  },
};

/** Every setting of a kind but its metadata. */
export function settingsOf(kind: string): readonly KindSetting[] {
  const { otherSide = [], rules = [] } = kinds[kind] ?? {};
  return [...otherSide, ...rules];
}

export function kindLabel(kind: string | null, module: string | null): string {
  return kind === 'saml' || kind === 'oidc' ? t(`provider.kind.${kind}`) : (module ?? kind ?? '');
}
