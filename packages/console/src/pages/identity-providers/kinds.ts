/** A setting of a kind, as its form has it. */
export interface KindSetting {
  readonly name: SettingName;
  /** `lines`: a list, with one entry on each line. */
  readonly type: 'text' | 'lines' | 'code';
  readonly placeholder?: string;
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
  | 'adminGroup';

/** A kind of identity provider that can be set up here. */
interface Kind {
  readonly label: string;
  /** The two ways to describe the other side: by its address, or by the document itself. */
  readonly url: SettingName;
  readonly text: SettingName;
  /** Extension of a file with the document. */
  readonly file: string;
  /** The others. */
  readonly settings: readonly KindSetting[];
}

const text = (name: SettingName, placeholder = ''): KindSetting => ({ name, type: 'text', placeholder });
const lines = (name: SettingName, placeholder = ''): KindSetting => ({ name, type: 'lines', placeholder });

/** By the names of the server. Another kind is another entry, with its texts. */
export const kinds: Readonly<Record<string, Kind>> = {
  saml: {
    label: 'SAML 2.0',
    url: 'metadataUrl',
    text: 'metadata',
    file: '.xml,application/xml,text/xml,application/samlmetadata+xml',
    settings: [
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
    ],
  },
};

export function kindLabel(kind: string | null, module: string | null): string {
  return kinds[kind ?? '']?.label ?? module ?? kind ?? '';
}
