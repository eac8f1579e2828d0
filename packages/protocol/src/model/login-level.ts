/**
 * How strong a login is, in the order of this server: a single factor (`sfa`), several of them (`mfa`), or one that cannot be phished
 * (`phr`), such as a passkey that has verified the user.
 */
export type LoginLevel = (typeof loginLevels)[number];

/** The weakest first. */
export const loginLevels = ['sfa', 'mfa', 'phr'] as const;

/** A login satisfies every lower level. */
export function reaches(level: LoginLevel, needed: LoginLevel): boolean {
  return loginLevels.indexOf(level) >= loginLevels.indexOf(needed);
}

export function strongest(levels: Iterable<LoginLevel | undefined>): LoginLevel {
  let found: LoginLevel = 'sfa';
  for (const level of levels) if (level !== undefined && reaches(level, found)) found = level;
  return found;
}
