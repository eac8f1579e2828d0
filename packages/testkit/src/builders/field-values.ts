import {
  defaultOf,
  type FieldTable,
  type Kind,
  type SubmittedFields,
  submittedFields,
} from '@watchword/protocol';

/** A registration in which each field has another value than its default. Rules between fields can be broken. */
export function otherValues<Table extends FieldTable>(table: Table): SubmittedFields<Table> {
  return Object.fromEntries(
    submittedFields(table).map(([name, field]) => [name, otherValue(name, field.kind, defaultOf(field))]),
  ) as SubmittedFields<Table>;
}

function otherValue(name: string, kind: Kind, usual: unknown): unknown {
  switch (kind.type) {
    case 'text':
      return `${name}-value`;
    case 'choice':
      return kind.values.at(-1);
    case 'flag':
      return usual !== true;
    case 'wholeNumber':
      return Number(usual) + 1;
    case 'texts':
      return kind.values ?? [`https://${name.toLowerCase()}.example/`];
    case 'scopes':
      return [`${name}-value`];
    case 'scopeDescriptions':
      return [{ name: 'read', description: `${name}-value`, descriptions: { nl: `${name}-waarde` } }];
    case 'resourceServerScopes':
      return [{ resourceServerId: 77, scopes: [`${name}-value`] }];
    case 'keySet':
      return { keys: [{ kty: 'OKP', kid: `${name}-value` }] };
    case 'assertionIssuers':
      return [
        {
          issuer: 'https://cluster.example',
          audience: `${name}-value`,
          subject: 'system:serviceaccount:jobs:*',
          jwks: { keys: [] },
          jwksUri: 'https://cluster.example/jwks',
        },
      ];
    case 'textMap':
      return { name: `${name}-value` };
  }
}
