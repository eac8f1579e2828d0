import { t } from '../texts/texts.ts';
/** Grant types in the order in which they are stacked, which is that of their colours. */
export const grantTypes = [
  'client_credentials',
  'authorization_code',
  'refresh_token',
  'implicit',
  'administration',
] as const;

export interface Series {
  readonly key: string;
  readonly label: string;
  /** Number of its colour. */
  readonly color: number;
}

/** The grant types with issued tokens. Grant types that are unknown to these pages come last. */
export function seriesOf(found: ReadonlySet<string>): readonly Series[] {
  const known = grantTypes.map((key, color) => ({ key, label: t(`grantType.${key}`), color }));
  const unknown = [...found]
    .filter((key) => !grantTypes.some((type) => type === key))
    .map((key) => ({ key, label: key, color: grantTypes.length }));
  return [...known.filter(({ key }) => found.has(key)), ...unknown];
}
