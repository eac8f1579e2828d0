/** Grant types in the order in which they are stacked, with what they are called and their colours. */
export const grantTypes = [
  { key: 'client_credentials', label: 'client credentials' },
  { key: 'authorization_code', label: 'authorization code' },
  { key: 'refresh_token', label: 'refresh token' },
  { key: 'implicit', label: 'implicit' },
  { key: 'administration', label: 'by an administrator' },
] as const;

export interface Series {
  readonly key: string;
  readonly label: string;
  /** Number of its colour. */
  readonly color: number;
}

/** The grant types with issued tokens. Grant types that are unknown to these pages come last. */
export function seriesOf(found: ReadonlySet<string>): readonly Series[] {
  const known = grantTypes.map((type, color) => ({ ...type, color }));
  const unknown = [...found]
    .filter((key) => !grantTypes.some((type) => type.key === key))
    .map((key) => ({ key, label: key, color: grantTypes.length }));
  return [...known.filter(({ key }) => found.has(key)), ...unknown];
}
